/**
 * The default engine of this checkout and of an older one on the same machine, in turns:
 *
 *     git worktree add --detach DIR COMMIT && (cd DIR && npm ci)
 *     npm run bench -- versions --against DIR [--models FOLDER] [--rounds 7] [--sentences 2] [--only speed|sound|memory]
 *
 * An old version may need old models: fetch them with its `parlance models pull kokoro-q8` and PARLANCE_MODELS=FOLDER.
 * Ratios are this checkout's figures as a share of the older one's. Both servers run for the whole time, so nothing else may run
 * on the machine. There is no model of DNSMOS in the npm registry, so it is not measured.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { startBenchServer } from "./server-handle.ts";
import { compareMemory } from "./versions/memory.ts";
import { compareSound } from "./versions/sound.ts";
import { compareSpeed } from "./versions/speed.ts";

export async function benchVersions(args: readonly string[]): Promise<unknown> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: "string" },
      rounds: { type: "string", default: "7" },
      models: { type: "string" },
      sentences: { type: "string", default: "2" },
      only: { type: "string" },
    },
  });
  if (values.against === undefined) throw new Error("usage: npm run bench -- versions --against DIR");
  const only = values.only;
  const built = { now: { checkout: "." }, before: { checkout: values.against, models: values.models } };
  const memory = only === undefined || only === "memory" ? await compareMemory(built) : undefined;
  if (only === "memory") return { memory };
  const now = await startBenchServer();
  try {
    const before = await startBenchServer({ checkout: resolve(values.against), models: values.models });
    try {
      const versions = { now, before };
      const speed = only === "sound" ? undefined : await compareSpeed(versions, Number(values.rounds));
      const sound = only === "speed" ? undefined : await compareSound(versions, Number(values.sentences));
      return { memory, speed, sound };
    } finally {
      await before.close();
    }
  } finally {
    await now.close();
  }
}
