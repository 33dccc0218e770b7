import { useState } from "react";
import { Button } from "./button.tsx";

const SHOWN_MS = 2000;

interface CopyButtonProps {
  readonly text: string;
  readonly label?: string;
  /** Only the icon; the label is read out. */
  readonly compact?: boolean;
}

export function CopyButton({ text, label = "Copy", compact = false }: CopyButtonProps) {
  const [result, setResult] = useState<string>();
  const show = (message: string) => {
    setResult(message);
    setTimeout(() => setResult(undefined), SHOWN_MS);
  };
  const copy = () => {
    // Browsers have no clipboard on plain http, except on localhost.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    written.then(
      () => show("Copied"),
      () => show("Select and copy by hand"),
    );
  };
  const icon = result === "Copied" ? "check" : "copy";
  if (compact) {
    return <Button look="quiet" icon={icon} aria-label={result ?? label} title={result ?? label} onClick={copy} />;
  }
  return (
    <Button icon={icon} onClick={copy}>
      <span aria-live="polite">{result ?? label}</span>
    </Button>
  );
}

export function Code({ children, label }: { readonly children: string; readonly label: string }) {
  return (
    <section className="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
      <CopyButton text={children} />
    </section>
  );
}
