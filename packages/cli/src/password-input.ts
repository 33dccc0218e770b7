import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { Interruption, UsageError } from "./errors.ts";

/** Prompts for it in a terminal, without echo; otherwise reads the first line of standard input. */
export async function readPassword(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  // No echo of what is typed.
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: discard, terminal: stdin.isTTY });
  if (stdin.isTTY) stderr.write(prompt);
  try {
    return await new Promise((resolve, reject) => {
      reader.once("line", resolve);
      reader.once("SIGINT", () => reject(new Interruption("SIGINT")));
      reader.once("close", () => reject(new UsageError("no password was given")));
    });
  } finally {
    reader.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}
