import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { Interruption, UsageError } from "./errors.ts";

/** Of a terminal it is asked for and not shown; otherwise it is the first line of standard input. */
export async function readPassword(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  // What is typed is not to be seen, not even over the shoulder.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY });
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
