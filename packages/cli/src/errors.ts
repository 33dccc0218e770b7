/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {}

/** Somebody asked the process to stop, or nobody listens any more. Nothing is printed for it. */
export class Interruption extends Error {
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGPIPE") {
    super(`ended by ${signal}`);
    // 128 plus the signal's number, as shells count
    this.exitCode = 128 + { SIGHUP: 1, SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 }[signal];
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Interruption) return error.exitCode;
  return error instanceof UsageError ? 2 : 1;
}

/** One line for people; the stack for those who asked for it. */
export function describeError(error: unknown, environment: NodeJS.ProcessEnv): string | undefined {
  if (error instanceof Interruption) return undefined;
  if (!(error instanceof Error)) return String(error);
  const wantsStack = environment.PARLANCE_LOG === "debug" || environment.PARLANCE_LOG === "trace";
  if (wantsStack) return withCauses(error);
  return error.message.split("\n")[0] ?? error.name;
}

function withCauses(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${withCauses(error.cause)}` : own;
}
