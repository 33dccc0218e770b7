import type { AudioFormatName, TtsRequest } from "@parlance/protocol";
import type { SpeechPart } from "@parlance/speech";
import type { RequestFacts } from "./request-log.ts";

/** Of the formats without compression. */
const SAMPLE_BYTES: Readonly<Partial<Record<AudioFormatName, number>>> = { pcm: 2, wav: 2, ulaw: 1, alaw: 1 };

/** Measures the duration of streamed speech and, given a clock, the time to first audio. */
export function createAudioMeter(
  { format, sampleRate }: Pick<TtsRequest, "format" | "sampleRate">,
  facts: RequestFacts,
  elapsedMs?: () => number,
): (part: SpeechPart) => void {
  // In other formats the duration does not follow from the bytes.
  const sampleBytes = SAMPLE_BYTES[format];
  const bytesPerSecond = sampleBytes === undefined ? undefined : sampleRate * sampleBytes;
  let bytes = 0;
  let end = 0;
  let hasAudio = false;
  return (part) => {
    bytes += part.bytes.length;
    if (part.alignment !== undefined) {
      // Bytes without an alignment may be a file header.
      hasAudio = true;
      end = Math.max(end, part.alignment.offset + part.alignment.duration);
    }
    const seconds = bytesPerSecond === undefined ? end : bytes / bytesPerSecond;
    facts.audioSeconds = Math.round(seconds * 1000) / 1000;
    if (hasAudio && part.bytes.length > 0 && elapsedMs !== undefined) facts.firstAudioMs ??= Math.round(elapsedMs());
  };
}
