import type { FileProblem, ModelStatus } from "@parlance/speech";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { interruptible } from "../interrupt.ts";
import { formatTable } from "../table.ts";
import type { Style } from "../terminal.ts";

export function addModels(program: Command, context: Context): void {
  const models = program
    .command("models")
    .description("list, fetch, check and remove models")
    .addHelpText(
      "after",
      `
Examples:
  parlance models list
  parlance models pull                fetch the default set
  parlance models pull piper          fetch more voices, of American English
  parlance models verify              compare every installed file with its sha256
  parlance models remove whisper-small

Models are kept in $PARLANCE_MODELS, or in ~/.cache/parlance/models. That folder may be copied to a machine
without a network.`,
    );
  models
    .command("list")
    .description("list all models and whether they are installed")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) => list(options.json === true, context));
  models
    .command("pull")
    .description("fetch models that are not installed")
    .argument("[names...]", 'models or sets ("default", "kokoro", "piper", "clone", "speakers", "test", "all")', [
      "default",
    ])
    .action((names: string[]) => pull(names, context));
  models
    .command("verify")
    .description("read every file and compare its sha256")
    .argument("[names...]", "models or sets; by default all that are installed")
    .action((names: string[]) => verify(names, context));
  models
    .command("remove")
    .description("delete models from the disk")
    .argument("<names...>", "models")
    .action((names: string[]) => remove(names, context));
}

async function list(json: boolean, { environment, terminal }: Context): Promise<void> {
  const { formatBytes } = await import("@parlance/speech");
  const { openModelStore } = await import("../models.ts");
  const store = openModelStore(environment);
  const statuses = await store.list();
  if (json) {
    terminal.print(JSON.stringify(statuses.map(toJson), null, 2));
    return;
  }
  const style = terminal.resultStyle;
  const rows = statuses.map(({ model, state, bytes, downloadBytes }) => [
    stateMark[state],
    model.id,
    formatBytes(bytes),
    formatBytes(downloadBytes),
    model.sets.join(", "),
    model.licence,
    model.title,
  ]);
  const head = ["", "MODEL", "ON DISK", "DOWNLOAD", "SET", "LICENCE", "WHAT"];
  const [first = "", ...lines] = formatTable([head, ...rows]);
  terminal.print(style.bold(first));
  for (const [index, line] of lines.entries()) terminal.print(styled(line, statuses[index], style));
  terminal.notify(`✓ installed, – not installed, ! damaged (pull it again). Folder: ${store.directory}`);
}

const stateMark = { installed: "✓", absent: "–", damaged: "!" } as const;

function styled(line: string, status: ModelStatus | undefined, style: Style): string {
  if (status?.state === "damaged") return style.yellow(line);
  return status?.state === "installed" ? line.replace("✓", style.green("✓")) : style.dim(line);
}

function toJson({ model, state, bytes, downloadBytes }: ModelStatus): Record<string, unknown> {
  const { id, title, purpose, sets, licence, attribution, homepage } = model;
  return { id, title, purpose, sets, state, bytes, downloadBytes, licence, attribution, homepage };
}

async function pull(names: readonly string[], { environment, terminal }: Context): Promise<void> {
  const { selectModels } = await import("@parlance/speech");
  const { openModelStore, pullWithProgress } = await import("../models.ts");
  const store = openModelStore(environment);
  const chosen = byName(() => selectModels(names)).map(({ id }) => id);
  await interruptible((signal) => pullWithProgress(store, names, environment, signal));
  terminal.notify(`Installed: ${chosen.join(", ")}`);
}

async function verify(names: readonly string[], { environment, terminal }: Context): Promise<void> {
  const { describeProblem, selectModels } = await import("@parlance/speech");
  const { openModelStore } = await import("../models.ts");
  const store = openModelStore(environment);
  const { style } = terminal;
  const installed = (await store.list()).filter(({ state }) => state !== "absent").map(({ model }) => model.id);
  const checked = names.length > 0 ? byName(() => selectModels(names)).map(({ id }) => id) : installed;
  if (checked.length === 0) {
    terminal.notify("No model is installed. Fetch the default set: parlance models pull");
    return;
  }
  const problems: FileProblem[] = [];
  await interruptible(async (signal) => {
    for (const name of checked) {
      const found = await store.verify([name], { signal });
      problems.push(...found);
      terminal.notify(found.length === 0 ? `${style.green("✓")} ${name}` : `${style.red("✗")} ${name}`);
      for (const problem of found) terminal.notify(`  ${describeProblem(problem)}`);
    }
  });
  if (problems.length === 0) return;
  const broken = [...new Set(problems.map(({ model }) => model))].join(" ");
  terminal.notify(`To repair it: parlance models remove ${broken} && parlance models pull ${broken}`);
  terminal.failWith(1);
}

/** An unknown name is wrong usage. */
function byName<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw error instanceof Error ? new UsageError(error.message, { cause: error }) : error;
  }
}

async function remove(names: readonly string[], { environment, terminal }: Context): Promise<void> {
  const { findModel } = await import("@parlance/speech");
  const { openModelStore } = await import("../models.ts");
  const store = openModelStore(environment);
  // All names are checked before anything is removed.
  for (const name of names) byName(() => findModel(name));
  for (const name of names)
    terminal.notify((await store.remove(name)) ? `Removed ${name}` : `${name} was not installed`);
}
