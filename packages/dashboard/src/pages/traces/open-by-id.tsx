import { findTraceId } from "@parlance/client";
import { type SyntheticEvent, useId, useState } from "react";
import { go } from "../../lib/router.tsx";
import { Button } from "../../ui/button.tsx";

/** Accepts a trace id, a traceparent or a link to this page. Pasting opens the trace. */
export function OpenById() {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState(false);
  const open = (text: string): boolean => {
    const traceId = findTraceId(text);
    if (traceId !== undefined) go(`traces/${traceId}`);
    return traceId !== undefined;
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setFault(!open(typed));
  };
  return (
    <form className="open-trace" onSubmit={submit}>
      <label className="visually-hidden" htmlFor={id}>
        Trace id
      </label>
      <input
        id={id}
        className="input mono"
        value={typed}
        placeholder="Paste a trace id"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={fault || undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onChange={(event) => {
          setTyped(event.target.value);
          setFault(false);
        }}
        onPaste={(event) => {
          if (open(event.clipboardData.getData("text"))) event.preventDefault();
        }}
      />
      <Button type="submit" icon="search">
        Open
      </Button>
      {fault && (
        <span id={`${id}-fault`} className="fault" role="alert">
          A trace id has 32 hex digits. It is the x-trace-id header of a response.
        </span>
      )}
    </form>
  );
}
