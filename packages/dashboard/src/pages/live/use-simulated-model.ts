import { useEffect, useRef } from "react";

/** Emits a text token by token like a language model: at irregular intervals, in pieces that end anywhere. */
export function useSimulatedModel(
  running: boolean,
  text: string,
  tokensPerSecond: number,
  onToken: (token: string) => void,
  onDone: () => void,
): void {
  const handlers = useRef({ onToken, onDone });
  handlers.current = { onToken, onDone };
  useEffect(() => {
    if (!running) return;
    const tokens = text.match(/\s*\S{1,5}/gu) ?? [];
    let timer: ReturnType<typeof setTimeout>;
    const next = () => {
      const token = tokens.shift();
      if (token === undefined) {
        handlers.current.onDone();
        return;
      }
      handlers.current.onToken(token);
      timer = setTimeout(next, (1000 / tokensPerSecond) * (0.5 + Math.random()));
    };
    next();
    return () => clearTimeout(timer);
  }, [running, text, tokensPerSecond]);
}
