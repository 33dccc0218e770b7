import { apiError } from "@parlance/protocol";
import type { SpeechPart } from "@parlance/speech";
import { withinTimeout } from "../../../http/timeouts.ts";

const HEADER_BYTES = 44;
/** A short text of digits may be a long speech. */
const MAX_SECONDS = 60;

/** The whole WAV file of some speech, with its size in the header. */
export async function collectWav(
  parts: AsyncIterable<SpeechPart>,
  sampleRate: number,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<{ readonly wav: Buffer; readonly durationMs: number }> {
  const iterator = parts[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  const maxBytes = HEADER_BYTES + MAX_SECONDS * sampleRate * 2;
  let bytes = 0;
  try {
    while (bytes < maxBytes) {
      const { done, value } = await withinTimeout(iterator.next(), signal, timeoutMs);
      if (done) break;
      pieces.push(value.bytes);
      bytes += value.bytes.length;
    }
  } finally {
    // Not awaited: an engine that hangs does not return.
    iterator.return?.().catch(() => {});
  }
  const wav = Buffer.concat(pieces).subarray(0, maxBytes);
  // The text had nothing to say.
  if (wav.length <= HEADER_BYTES) throw apiError("invalid_value", NOTHING_TO_SAY);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(wav.length - HEADER_BYTES, HEADER_BYTES - 4);
  return { wav, durationMs: Math.round((wav.length - HEADER_BYTES) / 2 / (sampleRate / 1000)) };
}

const NOTHING_TO_SAY = { field: "reference_text", value: "the text", allowed: "it must have words" };
