import { chunkSeconds, leadChunks } from "../engines/silero/chunks.ts";
import type { Region } from "./speech-regions.ts";

/** What detection of speech in a region hears: some time before it, too. */
export function withLead({ from, to }: Region): Region {
  return { from: Math.max(0, from - leadChunks * chunkSeconds), to };
}
