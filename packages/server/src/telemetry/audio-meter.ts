import type { TtsRequest } from "@parlance/protocol";
import type { SpeechPart } from "@parlance/speech";
import type { RequestFacts } from "./request-log.ts";

/** Notes of the speech that passes how long it is and, given a clock, when it could first be heard. */
export function createAudioMeter(
  { format, sampleRate }: Pick<TtsRequest, "format" | "sampleRate">,
  facts: RequestFacts,
  elapsedMs?: () => number,
): (part: SpeechPart) => void {
  // Of other formats the bytes do not tell.
  const bytesPerSecond = format === "pcm" || format === "wav" ? sampleRate * 2 : undefined;
  let bytes = 0;
  let end = 0;
  let hearable = false;
  return (part) => {
    bytes += part.bytes.length;
    if (part.alignment !== undefined) {
      // Before it there may have been a file's header.
      hearable = true;
      end = Math.max(end, part.alignment.offset + part.alignment.duration);
    }
    const seconds = bytesPerSecond === undefined ? end : bytes / bytesPerSecond;
    facts.audioSeconds = Math.round(seconds * 1000) / 1000;
    if (hearable && part.bytes.length > 0 && elapsedMs !== undefined) facts.firstAudioMs ??= Math.round(elapsedMs());
  };
}
