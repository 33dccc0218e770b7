import type { Command } from "commander";
import type { Context } from "../context.ts";
import type { Finding } from "../doctor/check.ts";
import { interruptible } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

interface DoctorOptions {
  readonly deep?: boolean;
  readonly json?: boolean;
}

export function addDoctor(program: Command, context: Context): void {
  program
    .command("doctor")
    .description(
      "check this machine: Node, native modules, models, disk, settings, port, text to speech and speech to text",
    )
    .option("--deep", "compare the sha256 of every model file")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Each line is one check. A failed check says what to do. The exit code is 1 if a check fails. Secrets are not shown.

Examples:
  parlance doctor
  parlance doctor --deep --json`,
    )
    .action((options: DoctorOptions) => interruptible((signal) => doctor(options, context, signal)));
}

async function doctor(
  { deep = false, json = false }: DoctorOptions,
  { environment, terminal }: Context,
  signal: AbortSignal,
): Promise<void> {
  const findings: Finding[] = [];
  const add = (finding: Finding): void => {
    findings.push(finding);
    if (!json) print(finding, terminal);
  };
  await examine(deep, environment, add, signal);
  const failed = findings.filter(({ verdict }) => verdict === "fail").length;
  if (json) terminal.print(JSON.stringify({ ok: failed === 0, findings }, null, 2));
  else if (failed > 0) terminal.print(`\n${failed} of ${findings.length} checks failed.`);
  else terminal.print("\nAll checks passed.");
  if (failed > 0) terminal.failWith(1);
}

async function examine(
  deep: boolean,
  environment: NodeJS.ProcessEnv,
  add: (finding: Finding) => void,
  signal: AbortSignal,
): Promise<void> {
  const machine = await import("../doctor/machine.ts");
  add(machine.checkNode());
  add(machine.checkPlatform());
  const { checkNativeModules } = await import("../doctor/native-modules.ts");
  const modules = await Promise.all(checkNativeModules(signal));
  modules.forEach(add);
  // The checks below need these modules.
  if (modules.some(({ verdict }) => verdict === "fail")) return;

  const { openModelStore } = await import("../models.ts");
  const { checkModels } = await import("../doctor/models.ts");
  const store = openModelStore(environment);
  const models = await checkModels(store, deep, signal);
  models.forEach(add);
  add(await machine.checkDisk(store.directory, !models.some(({ verdict }) => verdict === "fail")));

  const { checkSettings } = await import("../doctor/settings.ts");
  for (const finding of await checkSettings(environment)) add(finding);
  const { checkSynthesis } = await import("../doctor/synthesis.ts");
  add(await checkSynthesis(store, signal));
  const { checkRecognition } = await import("../doctor/recognition.ts");
  add(await checkRecognition(store, signal));
}

const marks = { ok: "✓", note: "!", fail: "✗" } as const;

function print({ verdict, detail, remedy }: Finding, { print: write, resultStyle: style }: Terminal): void {
  const paint = { ok: style.green, note: style.yellow, fail: style.red }[verdict];
  write(`${paint(marks[verdict])} ${detail}`);
  if (remedy) write(`  ${style.dim("→")} ${remedy}`);
}
