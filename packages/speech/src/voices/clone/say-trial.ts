import type { Speech } from "../../speech.ts";
import { plainRequest } from "../../synthesis/plain-request.ts";
import { HEARING_RATE } from "./speech-only.ts";
import { TRIAL_SENTENCES } from "./trial-voice.ts";

/** What a voice sounds like: mono samples of 16 bits, little end first, `HEARING_RATE` a second. */
export type SayTrial = (embedding: string | Float32Array, signal: AbortSignal) => Promise<Uint8Array>;

/** The engine's own speakers are known by how they say the other sentences: in those they would be judged too well. */
export const TRIAL_TEXT = TRIAL_SENTENCES[2];

/** Has a voice say a sentence by the workers that speak anyway. Nothing else has to be loaded for it. */
export function createSayTrial(speech: Pick<Speech, "speak">): SayTrial {
  return async (embedding, signal) => {
    const output = { format: "pcm", sampleRate: HEARING_RATE, mp3Bitrate: 128, opusBitrate: "auto" } as const;
    const voice = { id: "trial", engine: "piper", own: { embedding, pace: 1 } } as const;
    const request = plainRequest(TRIAL_TEXT, voice, { output, latency: "normal", uncounted: true });
    const pieces: Uint8Array[] = [];
    for await (const { bytes } of speech.speak(request, signal)) pieces.push(bytes);
    return Buffer.concat(pieces);
  };
}
