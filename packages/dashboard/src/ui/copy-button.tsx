import { useState } from "react";
import { Button } from "./button.tsx";

const SAID_MS = 2000;

export function CopyButton({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState<string>();
  const say = (word: string) => {
    setSaid(word);
    setTimeout(() => setSaid(undefined), SAID_MS);
  };
  const copy = () => {
    // Not there on plain http to another machine; then the text can still be selected by hand.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    written.then(
      () => say("Copied"),
      () => say("Select and copy by hand"),
    );
  };
  return (
    <Button icon={said === "Copied" ? "check" : "copy"} onClick={copy}>
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  );
}

export function Code({ children, label }: { readonly children: string; readonly label: string }) {
  return (
    <section className="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
      <CopyButton text={children} />
    </section>
  );
}
