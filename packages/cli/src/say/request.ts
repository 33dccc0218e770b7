import { randomInt } from "node:crypto";
import {
  type AudioFormatName,
  DEFAULT_MP3_BITRATE,
  FORMAT_RULES,
  type PronunciationList,
  TTS_RANGES,
} from "@parlance/protocol";
import type { SpeechRequest, Voice } from "@parlance/speech";

/** The options of `say` that a server takes as well. */
export interface CommonRequest {
  readonly text: string;
  readonly format: AudioFormatName;
  readonly speed: number;
  readonly volume: number;
  readonly seed?: number;
  readonly language?: string;
  readonly pronounce?: PronunciationList;
}

export interface SayRequest extends CommonRequest {
  readonly voice: Voice;
  /** Each language is spoken by its own default voice. */
  readonly voiceByLanguage?: boolean;
}

/** With the same defaults as the API. */
export function speechRequest({
  text,
  voice,
  format,
  speed,
  volume,
  seed,
  language,
  pronounce,
  voiceByLanguage,
}: SayRequest): SpeechRequest {
  return {
    text,
    voices: [voice],
    language,
    pronunciations: pronounce,
    voiceByLanguage,
    output: {
      format,
      sampleRate: FORMAT_RULES[format].defaultSampleRate,
      mp3Bitrate: DEFAULT_MP3_BITRATE,
      opusBitrate: "auto",
    },
    latency: "balanced",
    chunkLength: TTS_RANGES.chunk_length.default,
    minChunkLength: TTS_RANGES.min_chunk_length.default,
    normalizeText: true,
    speed,
    volumeDb: volume,
    normalizeLoudness: false,
    temperature: TTS_RANGES.temperature.default,
    seed: seed ?? randomInt(2 ** 32),
  };
}
