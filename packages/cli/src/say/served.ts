import type { Parlance } from "@parlance/client";
import type { AudioFormatName, PronunciationList } from "@parlance/protocol";
import { FORMAT_RULES } from "@parlance/protocol";

export interface ServedRequest {
  readonly text: string;
  /** By name or id; cloned voices are known to the server only. */
  readonly voice?: string;
  readonly format: AudioFormatName;
  readonly speed: number;
  readonly volume: number;
  readonly seed?: number;
  readonly language?: string;
  readonly pronounce?: PronunciationList;
}

/** Speech of a server. */
export function speakServed(
  { tts }: Parlance,
  { text, voice, format, speed, volume, seed, language, pronounce }: ServedRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  return tts.stream(
    {
      text,
      format,
      sample_rate: FORMAT_RULES[format].defaultSampleRate,
      prosody: { speed, volume },
      ...(voice === undefined ? {} : { reference_id: voice }),
      ...(seed === undefined ? {} : { seed }),
      ...(language === undefined ? {} : { language }),
      ...(pronounce === undefined ? {} : { pronunciations: pronounce }),
    },
    { signal },
  );
}
