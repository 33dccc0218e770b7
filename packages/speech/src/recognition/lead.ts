import { chunkSeconds, leadChunks } from "../engines/silero/chunks.ts";
import type { Region } from "./speech-regions.ts";

/** The input of voice activity detection for a region: it includes some time before it. */
export function withLead({ from, to }: Region): Region {
  return { from: Math.max(0, from - leadChunks * chunkSeconds), to };
}
