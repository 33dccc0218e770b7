import type { Command } from "commander";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { version } from "../version.ts";
import { withConfig } from "../with-config.ts";

interface ServeOptions {
  readonly host?: string;
  readonly port?: string;
  readonly role?: string;
}

export function addServe(program: Command, context: Context): void {
  const command = program
    .command("serve")
    .description("start the server: the HTTP API, its documentation at /docs, the dashboard at /")
    .option("--host <address>", "address to listen on (PARLANCE_HOST)")
    .option("-p, --port <number>", "port to listen on, 0 for a free one (PARLANCE_PORT)")
    .option(
      "--role <role>",
      "all (the default), or api: the work is done by machines that run parlance work (PARLANCE_ROLE)",
    )
    .addHelpText(
      "after",
      `
The first start fetches the voices (about 90 MB), creates an admin, and prints a sign-in link and an API key, once.
The models for speech to text (125 MB) and for speakers and cloning (64 MB) are fetched while the server runs.
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
  // Checked before the first line: a mistyped command gets one line of explanation.
  if (options.port !== undefined && !/^\d{1,5}$/.test(options.port)) {
    throw new UsageError(`PARLANCE_PORT: "${options.port}" is not allowed, it must be an integer from 0 to 65535`);
  }
  // Loading the server and its engines takes seconds.
  terminal.notify(`Parlance ${version()} is starting…`);
  const given = { ...environment };
  if (options.host !== undefined) given.PARLANCE_HOST = options.host;
  if (options.port !== undefined) given.PARLANCE_PORT = options.port;
  if (options.role !== undefined) given.PARLANCE_ROLE = options.role;
  await withConfig(given, terminal, async (config) => {
    const { runService } = await import("../serve/service.ts");
    await runService(config, environment, terminal);
  });
}
