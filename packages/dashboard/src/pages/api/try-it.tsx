import { useEffect, useRef, useState } from "react";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { Fault } from "../../ui/notice.tsx";
import type { SampleRequest } from "./samples.ts";

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly type: string;
  /** Text of the response, cut. */
  readonly text: string | undefined;
  /** The address of a response that is not text. */
  readonly url: string | undefined;
}

const MAX_SHOWN = 20_000;

/** Sends the request with the session of the dashboard, and shows the response. */
export function TryIt({ request }: { readonly request: SampleRequest }) {
  const [file, setFile] = useState<File>();
  const [answer, setAnswer] = useState<Answer>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(
    () => () => {
      if (answer?.url !== undefined) URL.revokeObjectURL(answer.url);
    },
    [answer],
  );
  const send = useAction(async (signal) => {
    setAnswer(undefined);
    setAnswer(await sendRequest(request, file, signal));
  });
  const isComplete = !/\{\w+\}/.test(request.url) && (request.file === undefined || file !== undefined);
  return (
    <div className="stack tight">
      <div className="row">
        {request.file !== undefined && (
          <>
            <Button icon="upload" onClick={() => input.current?.click()}>
              {file?.name ?? `Choose ${request.file}`}
            </Button>
            <FileInput ref={input} label={request.file} accept="*/*" onFiles={([first]) => setFile(first)} />
          </>
        )}
        <Button
          look={request.method === "DELETE" ? "danger" : "primary"}
          icon="play"
          busy={send.busy}
          disabled={!isComplete}
          onClick={() => void send.run()}
        >
          Try it
        </Button>
        <span className="small soft">With your session: it uses your credits, and changes are real.</span>
      </div>
      <Fault error={send.error} />
      {answer && (
        <section className="stack tight" aria-label="Response">
          <p>
            <span className={`badge ${answer.status < 400 ? "good" : "bad"}`}>{answer.status}</span>{" "}
            <span className="small soft">
              {answer.type} · {answer.ms} ms
            </span>
          </p>
          {/* biome-ignore lint/a11y/useMediaCaption: what it says is in the request. */}
          {answer.url && answer.type.startsWith("audio/") && <audio controls src={answer.url} />}
          {answer.url && (
            <a className="button" href={answer.url} download="result">
              Save
            </a>
          )}
          {answer.text !== undefined && answer.text !== "" && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
            <pre className="answer" tabIndex={0}>
              <code>{answer.text}</code>
            </pre>
          )}
        </section>
      )}
    </div>
  );
}

async function sendRequest(request: SampleRequest, file: File | undefined, signal: AbortSignal): Promise<Answer> {
  const started = performance.now();
  const form = new FormData();
  if (request.file !== undefined && file !== undefined) form.append(request.file, file);
  const body = request.json ?? (request.file === undefined ? undefined : form);
  const response = await fetch(request.url, {
    method: request.method,
    headers: { ...request.headers, ...(request.json === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body }),
    signal,
  });
  const blob = await response.blob();
  const type = (response.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
  const isText = type === "" || /json|text|xml|event-stream/.test(type);
  return {
    status: response.status,
    ms: Math.round(performance.now() - started),
    type: type || "no content",
    text: isText ? pretty(await blob.text()) : undefined,
    url: isText ? undefined : URL.createObjectURL(blob),
  };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, MAX_SHOWN);
  } catch {
    return text.slice(0, MAX_SHOWN);
  }
}
