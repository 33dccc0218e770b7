import { CommanderError } from "commander";
import { describeError, exitCodeOf } from "./errors.ts";
import { createProgram } from "./program.ts";
import { createTerminal, type Output } from "./terminal.ts";

/** Runs the command line and returns the exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted. */
export async function run(args: readonly string[], environment: NodeJS.ProcessEnv, output?: Output): Promise<number> {
  const terminal = createTerminal(environment, output);
  try {
    const program = createProgram({ environment, terminal });
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
    return terminal.exitCode();
  } catch (error) {
    // commander has already printed its help or its error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const line = describeError(error, environment);
    if (line !== undefined) terminal.notify(`${terminal.style.red("parlance:")} ${line}`);
    return exitCodeOf(error);
  }
}
