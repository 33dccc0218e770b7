import { useEffect, useRef } from "react";

/** Writes a text token by token, as a language model does: unevenly, in pieces that end anywhere. */
export function useTypist(
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
