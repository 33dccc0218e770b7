import type { Terminal } from "./terminal.ts";

/** What every command gets: the environment variables and the terminal. */
export interface Context {
  readonly environment: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
}
