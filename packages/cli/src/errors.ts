/** Wrong usage of a command: exit code 2. */
export class UsageError extends Error {}

/** A signal asked the process to stop, or the reader of its output is gone. Nothing is printed for it. */
export class Interruption extends Error {
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGPIPE") {
    super(`ended by ${signal}`);
    // 128 plus the signal number, as shells report it
    this.exitCode = 128 + { SIGHUP: 1, SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 }[signal];
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Interruption) return error.exitCode;
  return error instanceof UsageError ? 2 : 1;
}

/** One line; the whole stack when PARLANCE_LOG is debug or trace. */
export function describeError(error: unknown, environment: NodeJS.ProcessEnv): string | undefined {
  if (error instanceof Interruption) return undefined;
  if (!(error instanceof Error)) return String(error);
  const showStack = environment.PARLANCE_LOG === "debug" || environment.PARLANCE_LOG === "trace";
  if (showStack) return withCauses(error);
  return error.message.split("\n")[0] ?? error.name;
}

function withCauses(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${withCauses(error.cause)}` : own;
}

/** Names are not unique, and the first admin may have no address. */
export const noSuchUser = (given: string): UsageError =>
  new UsageError(`there is no user ${given}: give an e-mail address, or an id that "parlance users list" shows`);
