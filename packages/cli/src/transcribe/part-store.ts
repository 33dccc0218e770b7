import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FinishedPart, PartStore } from "@parlance/client";
import { anyAsrResult } from "@parlance/protocol";

export interface PartsFile extends PartStore {
  /** The number of stored parts. */
  readonly count: number;
  /** Called when the recording is complete. */
  remove(): Promise<void>;
}

/** The finished parts of one recording with one set of options, one JSON line each. */
export async function openPartsFile(
  folder: string,
  recording: string,
  options: unknown,
  signal: AbortSignal,
): Promise<PartsFile> {
  const hash = createHash("sha256").update(`${JSON.stringify(options)}\n`);
  for await (const chunk of createReadStream(recording, { signal })) hash.update(chunk);
  const path = join(folder, `${hash.digest("hex").slice(0, 40)}.jsonl`);
  let count = 0;
  return {
    get count() {
      return count;
    },
    async load() {
      const lines = (await readFile(path, "utf8").catch(() => "")).split("\n");
      const parts = lines.map(parse).filter((part) => part !== undefined);
      count = parts.length;
      return parts;
    },
    async add(part) {
      await appendFile(path, `${JSON.stringify(part)}\n`, { mode: 0o600 });
      count += 1;
    },
    remove: () => rm(path, { force: true }),
  };
}

/** The last line may be incomplete: that part is transcribed again. */
function parse(line: string): FinishedPart | undefined {
  try {
    const part: unknown = JSON.parse(line);
    if (typeof part !== "object" || part === null || !("start" in part && "seconds" in part && "result" in part))
      return;
    const { start, seconds, result } = part;
    if (typeof start !== "number" || typeof seconds !== "number") return;
    return { start, seconds, result: anyAsrResult.parse(result) };
  } catch {
    return undefined;
  }
}
