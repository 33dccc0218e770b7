/**
 * The default engine of this checkout and of an older one on the same machine, in turns:
 *
 *     git worktree add --detach DIR COMMIT && (cd DIR && npm ci)
 *     npm run bench -- versions --against DIR [--models FOLDER] [--rounds 7] [--sentences 2] [--only speed|sound|memory]
 *     npm run bench -- versions --only encoder [--per-voice 4] [--language CODE,CODE]
 *
 * An old version may need old models: fetch them with its `parlance models pull kokoro-q8` and PARLANCE_MODELS=FOLDER.
 * Ratios are this checkout's figures as a share of the older one's. Both servers run for the whole time, so nothing else may run
 * on the machine. There is no model of DNSMOS in the npm registry, so it is not measured.
 * `encoder`: durations and pitch by the networks alone, which do not depend on the load. The older encoder is that of `full` quality.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { startBenchServer } from "./server-handle.ts";
import { compareEncoder } from "./versions/encoder.ts";
import { compareMemory } from "./versions/memory.ts";
import { compareSound } from "./versions/sound.ts";
import { compareSpeed } from "./versions/speed.ts";

const parts = ["memory", "speed", "sound", "encoder"] as const;
type Part = (typeof parts)[number];

export async function benchVersions(args: readonly string[]): Promise<unknown> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: "string" },
      rounds: { type: "string", default: "7" },
      models: { type: "string" },
      sentences: { type: "string", default: "2" },
      only: { type: "string" },
      "per-voice": { type: "string", default: "4" },
      language: { type: "string" },
    },
  });
  const measures = (part: Part): boolean => values.only === undefined || values.only === part;
  if (!parts.some(measures)) throw new Error(`--only takes one of ${parts.join(", ")}`);
  const languages = values.language?.split(",");
  const encoder = measures("encoder") ? await compareEncoder(Number(values["per-voice"]), languages) : undefined;
  if (values.only === "encoder") return { encoder };
  if (values.against === undefined) throw new Error("usage: npm run bench -- versions --against DIR");
  const built = { now: { checkout: "." }, before: { checkout: values.against, models: values.models } };
  const memory = measures("memory") ? await compareMemory(built) : undefined;
  if (values.only === "memory") return { memory };
  const now = await startBenchServer();
  try {
    const before = await startBenchServer({ checkout: resolve(values.against), models: values.models });
    try {
      const versions = { now, before };
      const speed = measures("speed") ? await compareSpeed(versions, Number(values.rounds)) : undefined;
      const sound = measures("sound") ? await compareSound(versions, Number(values.sentences), languages) : undefined;
      return { encoder, memory, speed, sound };
    } finally {
      await before.close();
    }
  } finally {
    await now.close();
  }
}
