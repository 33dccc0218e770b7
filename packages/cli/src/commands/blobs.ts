import type { Command } from "commander";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { interruptible } from "../interrupt.ts";

export function addBlobs(program: Command, context: Context): void {
  const blobs = program
    .command("blobs")
    .description("recordings and covers of voices in an S3-compatible storage (PARLANCE_BLOBS_URL)");
  blobs
    .command("move")
    .description("move files that are in the database into the storage, also while the service is running")
    .option("--back", "move them from the storage into the database")
    .addHelpText(
      "after",
      `
An interrupted move is continued by the next one.

Examples:
  PARLANCE_BLOBS_URL=s3://voices?region=eu-central-1 parlance blobs move
  parlance blobs move --back                before PARLANCE_BLOBS_URL is removed`,
    )
    .action((options: { back?: boolean }) => interruptible((signal) => move(options, context, signal)));
  blobs
    .command("check")
    .description("compare the storage with the database")
    .option("--delete", "delete files of voices that the database does not know")
    .addHelpText(
      "after",
      `
Files that the database does not know are left when an older copy of it is restored. Delete them only if no other
service uses the same folder of the bucket. The exit code is 1 if a file is missing.

Examples:
  parlance blobs check
  parlance blobs check --delete`,
    )
    .action((options: { delete?: boolean }) => interruptible((signal) => check(options, context, signal)));
}

async function move(
  options: { back?: boolean },
  { environment, terminal }: Context,
  signal: AbortSignal,
): Promise<void> {
  const { createLog, createObjectSweep, createVoiceFiles, moveFiles } = await import("@parlance/server/records");
  await withStorage(environment, async ({ store, objects }) => {
    const parts = { store, objects, log: createLog("silent") };
    const files = createVoiceFiles(parts);
    const to = options.back ? "database" : "objects";
    const { moved, skipped, lost } = await moveFiles(to, { store, files }, signal);
    await createObjectSweep(parts).run();
    terminal.print(`${count(moved, "file")} moved to the ${options.back ? "database" : "storage"}.`);
    if (skipped > 0) terminal.notify(`${count(skipped, "file")} changed in the meantime: run the command again.`);
    if (lost === 0) return;
    terminal.notify(`${count(lost, "file")} of the database cannot be found in the storage.`);
    terminal.failWith(1);
  });
}

async function check(
  options: { delete?: boolean },
  { environment, terminal }: Context,
  signal: AbortSignal,
): Promise<void> {
  const { checkObjects } = await import("@parlance/server/records");
  await withStorage(environment, async ({ store, objects }) => {
    const onUnknown = async (key: string): Promise<void> => {
      if (options.delete) await objects.remove(key, signal);
    };
    const { known, found, unknown } = await checkObjects(store, objects, onUnknown, signal);
    terminal.print(`${found} of ${count(known, "file")} of the database are in the storage.`);
    if (unknown > 0)
      terminal.print(
        `${count(unknown, "file")} of the storage ${options.delete ? "were" : "are"} not known to the database${options.delete ? " and are deleted" : ""}.`,
      );
    if (found < known) terminal.failWith(1);
  });
}

async function withStorage(
  environment: NodeJS.ProcessEnv,
  work: (parts: StorageParts) => Promise<void>,
): Promise<void> {
  const { createS3Objects } = await import("@parlance/server/records");
  const { withRecords } = await import("../database.ts");
  await withRecords(environment, ({ store, config }) => {
    if (config.blobs === undefined) throw new UsageError("PARLANCE_BLOBS_URL is not set: there is no storage");
    return work({ store, objects: createS3Objects(config.blobs) });
  });
}

interface StorageParts {
  readonly store: import("@parlance/server/records").Store;
  readonly objects: import("@parlance/server/records").ObjectStorage;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
