import type { Config } from "@parlance/server/records";
import { UsageError } from "./errors.ts";
import type { Terminal } from "./terminal.ts";

/** Reads the settings for a command that runs a part of the service. A value that is not allowed is a wrong usage. */
export async function withConfig(
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
  run: (config: Config) => Promise<void>,
): Promise<void> {
  const { ConfigError, readConfig } = await import("@parlance/server/records");
  try {
    const { config, warnings } = readConfig(environment);
    for (const warning of warnings) terminal.notify(terminal.style.yellow(warning));
    await run(config);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message, { cause: error }) : error;
  }
}
