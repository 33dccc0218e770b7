import type { Readable } from "node:stream";
import { UsageError } from "../errors.ts";

/** The limit of the text from standard input. */
const maxBytes = 8 * 1024 * 1024;

export function isFromInput(words: readonly string[]): boolean {
  return words.length === 0 || (words.length === 1 && words[0] === "-");
}

/** The words of the command line, or standard input when there are none or they are "-". */
export async function readText(
  words: readonly string[],
  input: Readable & { readonly isTTY?: boolean },
  onWaiting: () => void,
  signal: AbortSignal,
): Promise<string> {
  const fromInput = isFromInput(words);
  if (fromInput && input.isTTY) onWaiting();
  const text = fromInput ? await readAll(input, signal) : words.join(" ");
  if (text.trim() === "") throw new UsageError("there is no text to speak");
  return text;
}

async function readAll(input: Readable, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onAbort = () => input.destroy(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for await (const chunk of input) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) throw new UsageError(`the text is longer than ${maxBytes / 1024 / 1024} MiB`);
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  return Buffer.concat(chunks).toString("utf8");
}
