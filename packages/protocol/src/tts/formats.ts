export const AUDIO_FORMATS = ["mp3", "wav", "pcm", "opus", "aac", "flac", "ulaw", "alaw"] as const;
export type AudioFormatName = (typeof AUDIO_FORMATS)[number];

/** Each is a rate of MPEG layer III and of AAC, too. */
const RATES = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;

export interface FormatRules {
  readonly contentType: string;
  readonly sampleRates: readonly number[];
  readonly defaultSampleRate: number;
}

/** Opus always decodes at 48 kHz; G.711 (`ulaw`, `alaw`) is made for the 8 kHz of telephony. */
export const FORMAT_RULES: Readonly<Record<AudioFormatName, FormatRules>> = {
  mp3: { contentType: "audio/mpeg", sampleRates: RATES, defaultSampleRate: 44100 },
  wav: { contentType: "audio/wav", sampleRates: RATES, defaultSampleRate: 44100 },
  pcm: { contentType: "audio/pcm", sampleRates: RATES, defaultSampleRate: 44100 },
  opus: { contentType: "audio/ogg; codecs=opus", sampleRates: [48000], defaultSampleRate: 48000 },
  aac: { contentType: "audio/aac", sampleRates: RATES, defaultSampleRate: 44100 },
  flac: { contentType: "audio/flac", sampleRates: RATES, defaultSampleRate: 44100 },
  ulaw: { contentType: "audio/basic", sampleRates: [8000], defaultSampleRate: 8000 },
  alaw: { contentType: "audio/x-alaw-basic", sampleRates: [8000], defaultSampleRate: 8000 },
};

export const DEFAULT_FORMAT: AudioFormatName = "mp3";

export const MP3_BITRATES = [64, 128, 192] as const;
export const DEFAULT_MP3_BITRATE = 128;

/** -1000 lets the encoder choose. Clients give the others in kbit/s or in bit/s. */
export const OPUS_BITRATE_AUTO = -1000;
export const OPUS_BITRATES = [OPUS_BITRATE_AUTO, 24, 32, 48, 64, 24000, 32000, 48000, 64000] as const;

export const LATENCIES = ["balanced", "normal", "low"] as const;
export type LatencyName = (typeof LATENCIES)[number];
export const DEFAULT_LATENCY: LatencyName = "balanced";

export function isAudioFormat(value: string): value is AudioFormatName {
  return (AUDIO_FORMATS as readonly string[]).includes(value);
}

/** In bit/s. */
export function opusBitsPerSecond(value: number): number | "auto" {
  if (value === OPUS_BITRATE_AUTO) return "auto";
  return value < 1000 ? value * 1000 : value;
}
