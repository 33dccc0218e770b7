import type { SpeechRequest, SpeechVoice } from "../speech.ts";

/**
 * A request with the default settings, and changes to them.
 *
 * @example
 * ```ts
 * import { defaultRequest, type Speech } from "@parlance/speech";
 *
 * async function speakMp3(speech: Speech, text: string, signal: AbortSignal): Promise<Uint8Array> {
 *   const voice = speech.defaultVoice();
 *   if (!voice) throw new Error("no voice is installed");
 *   const output = { format: "mp3", sampleRate: 44_100, mp3Bitrate: 128, opusBitrate: "auto" } as const;
 *   const parts: Uint8Array[] = [];
 *   for await (const { bytes } of speech.speak(defaultRequest(text, voice, { output }), signal)) parts.push(bytes);
 *   return Buffer.concat(parts);
 * }
 * ```
 */
export function defaultRequest(text: string, voice: SpeechVoice, changes: Partial<SpeechRequest> = {}): SpeechRequest {
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
    ...changes,
  };
}
