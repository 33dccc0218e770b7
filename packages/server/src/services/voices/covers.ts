import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { apiError } from "@parlance/protocol";
import { cleanImage, ImageError } from "@parlance/speech";
import { createSlots } from "../../lib/slots.ts";
import type { Cover } from "./voices.ts";

export interface Covers {
  /** Decodes and re-encodes a picture. Throws the 400 that describes what is wrong with it, or the 503 when too many wait. */
  read(path: string, signal: AbortSignal): Promise<Cover>;
}

/** Each picture is decoded in a process of its own, which may take some hundred megabytes. */
const MAX_PROCESSES = 2;
const MAX_WAITING = 16;

export function createCovers(clean: typeof cleanImage = cleanImage): Covers {
  const slots = createSlots({
    slots: MAX_PROCESSES,
    maxWaiting: MAX_WAITING,
    onFull: () => apiError("overloaded", {}, { retryAfterSeconds: 5 }),
  });
  // The file is read only when its turn has come, so that waiting pictures take no memory.
  const encode = async (path: string, signal: AbortSignal): Promise<Cover> => {
    signal.throwIfAborted();
    const { type, bytes } = await clean(await readFile(path), signal);
    return { type, bytes: Buffer.from(bytes), name: createHash("sha256").update(bytes).digest("hex").slice(0, 16) };
  };
  return {
    async read(path, signal) {
      try {
        return await slots.run(() => encode(path, signal));
      } catch (error) {
        throw error instanceof ImageError
          ? apiError("image_unusable", { reason: error.message }, { cause: error })
          : error;
      }
    },
  };
}
