import type { SpeechRequest, SpokenVoice } from "../speech.ts";

/** A text as it is spoken when nobody asks for anything special: what the house itself says. */
export function plainRequest(text: string, voice: SpokenVoice, wanted: Partial<SpeechRequest> = {}): SpeechRequest {
  return {
    text,
    voices: [voice],
    output: { format: "pcm", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" },
    latency: "balanced",
    chunkLength: 200,
    minChunkLength: 50,
    normalizeText: true,
    speed: 1,
    volumeDb: 0,
    normalizeLoudness: false,
    temperature: 0.7,
    seed: 1,
    ...wanted,
  };
}
