import type { Command } from "commander";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";

interface ServeOptions {
  readonly host?: string;
  readonly port?: string;
}

export function addServe(program: Command, context: Context): void {
  program
    .command("serve")
    .description("start the service: HTTP API, its description at /docs, the dashboard at /")
    .option("--host <address>", "where to listen (PARLANCE_HOST, 127.0.0.1)")
    .option("-p, --port <number>", "on which port (PARLANCE_PORT, 8080; 0 takes a free one)")
    .addHelpText(
      "after",
      `
The first start fetches the voices (about 90 MB), then creates an admin and prints a sign-in link and an API key, once. What is needed to
understand speech (another 125 MB) is fetched while the server is running, and what it takes to clone a voice (160 MB) when the
first one is made.
Ctrl-C lets running requests finish, a second one ends at once.

Examples:
  parlance serve
  parlance serve --host 0.0.0.0 --port 80
  PARLANCE_DATA=/var/lib/parlance PARLANCE_ADMIN_KEY=a-key-of-your-own parlance serve`,
    )
    .action((options: ServeOptions) => serve(options, context));
}

async function serve(options: ServeOptions, { environment, terminal }: Context): Promise<void> {
  const { ConfigError, readConfig } = await import("@parlance/server");
  const given = { ...environment };
  if (options.host !== undefined) given.PARLANCE_HOST = options.host;
  if (options.port !== undefined) given.PARLANCE_PORT = options.port;
  try {
    const { config, warnings } = readConfig(given);
    for (const warning of warnings) terminal.tell(terminal.style.yellow(warning));
    const { runService } = await import("../serve/service.ts");
    await runService(config, environment, terminal);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message, { cause: error }) : error;
  }
}
