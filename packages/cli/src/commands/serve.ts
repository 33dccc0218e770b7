import type { Command } from "commander";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";

interface ServeOptions {
  readonly host?: string;
  readonly port?: string;
}

export function addServe(program: Command, context: Context): void {
  const command = program
    .command("serve")
    .description("start the server: the HTTP API, its documentation at /docs, the dashboard at /")
    .option("--host <address>", "address to listen on (PARLANCE_HOST)")
    .option("-p, --port <number>", "port to listen on, 0 for a free one (PARLANCE_PORT)")
    .addHelpText(
      "after",
      `
The first start fetches the voices (about 90 MB), creates an admin, and prints a sign-in link and an API key, once.
The models for speech to text (125 MB) are fetched while the server runs, those for voice cloning (160 MB) when the
first voice is cloned.
Ctrl-C lets running requests finish. A second Ctrl-C ends the process at once.

Examples:
  parlance serve
  parlance serve --host 0.0.0.0 --port 80
  PARLANCE_DATA=/var/lib/parlance PARLANCE_ADMIN_KEY=a-key-of-your-own parlance serve`,
    )
    .action((options: ServeOptions) => serve(options, context));
  // The table of settings is part of the server package, which takes too long to load for the help of other commands.
  program.hook("preSubcommand", async (_, subcommand) => {
    if (subcommand !== command) return;
    const { describeSettings } = await import("../serve/settings-help.ts");
    command.addHelpText("after", describeSettings());
  });
}

async function serve(options: ServeOptions, { environment, terminal }: Context): Promise<void> {
  const { ConfigError, readConfig } = await import("@parlance/server");
  const given = { ...environment };
  if (options.host !== undefined) given.PARLANCE_HOST = options.host;
  if (options.port !== undefined) given.PARLANCE_PORT = options.port;
  try {
    const { config, warnings } = readConfig(given);
    for (const warning of warnings) terminal.notify(terminal.style.yellow(warning));
    const { runService } = await import("../serve/service.ts");
    await runService(config, environment, terminal);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message, { cause: error }) : error;
  }
}
