import { cloningEngine } from "../../engines/registry.ts";
import { pitchOf } from "../../engines/voice-pitch.ts";

/** A stock voice that gives a cloned voice its prosody. */
export interface ProsodyVoice {
  /** As the engine names it. */
  readonly name: string;
  /** Median pitch in Hz. */
  readonly pitch: number;
  /** Between the quartiles, in octaves. */
  readonly pitchRange: number;
  readonly lettersPerSecond: number;
}

/** The first one is for a speaker whose pitch is unknown. */
const PROSODIES: readonly ProsodyVoice[] = cloningEngine.cloning.prosodies.map(({ slug, ...measured }) => {
  const voice = cloningEngine.voices.find((each) => each.slug === slug);
  const name = voice?.engineVoice.embedding;
  if (voice === undefined || typeof name !== "string") throw new Error(`${slug} is no stock voice`);
  return { name, pitch: pitchOf(voice), ...measured };
});

/** Whether a cloned voice may have this prosody. */
export const isProsody = (name: unknown): boolean => PROSODIES.some((voice) => voice.name === name);

/** The prosody of the voice whose pitch is nearest: it has to be changed least. */
export function prosodyFor(pitch: number | undefined): ProsodyVoice {
  const distance = (voice: ProsodyVoice): number =>
    pitch === undefined ? 0 : Math.abs(Math.log2(voice.pitch / pitch));
  return PROSODIES.reduce((best, voice) => (distance(voice) < distance(best) ? voice : best));
}
