import type { Command } from "commander";
import type { Context } from "../context.ts";
import { withConfig } from "../with-config.ts";

interface WorkOptions {
  readonly nats?: string;
}

export function addWork(program: Command, context: Context): void {
  program
    .command("work")
    .description(
      "run this machine as a worker of a cluster: it synthesizes and transcribes for api nodes (parlance serve --role api)",
    )
    .option("--nats <url>", "address of the NATS server (PARLANCE_NATS_URL)")
    .addHelpText(
      "after",
      `
The first start fetches the models. The machine is used within two seconds after its engines are loaded.
Ctrl-C takes no new work, lets running streams end, and leaves. A second Ctrl-C ends the process at once.

Examples:
  parlance work --nats nats://10.0.0.5:4222
  PARLANCE_NATS_URL=nats://10.0.0.5:4222 PARLANCE_WORKERS=8 parlance work`,
    )
    .action((options: WorkOptions) => work(options, context));
}

async function work(options: WorkOptions, { environment, terminal }: Context): Promise<void> {
  const given = { ...environment, ...(options.nats === undefined ? {} : { PARLANCE_NATS_URL: options.nats }) };
  await withConfig(given, terminal, async (config) => {
    const { runWorker } = await import("../serve/service.ts");
    await runWorker(config, environment, terminal);
  });
}
