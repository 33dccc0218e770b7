import { run } from "../run.ts";

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in this process, which saves the start of another. For commands that only print: not for those that
 * read standard input or write audio. The environment is exactly what is given.
 */
export async function runInProcess(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Result> {
  const written = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof written) => ({
    isTTY: false,
    write(text: string) {
      written[name] += text;
    },
  });
  const code = await run(args, environment, { stdout: stream("stdout"), stderr: stream("stderr") });
  return { code, ...written };
}
