import type { EngineVoice } from "../engine.ts";
import { pitchOf } from "../voice-pitch.ts";

type Gender = "f" | "m";

/** Voices that pronounce each language well, by gender: a voice of the other gender would change the pitch too much. */
const NATIVE_VOICES: Readonly<Record<string, Partial<Record<Gender, string>>>> = {
  de: { f: "if_sara", m: "im_nicola" },
  en: { f: "af_heart", m: "am_michael" },
  es: { f: "ef_dora", m: "em_alex" },
  fr: { f: "ff_siwis" },
  hi: { f: "hf_alpha", m: "hm_omega" },
  id: { f: "if_sara", m: "im_nicola" },
  it: { f: "if_sara", m: "im_nicola" },
  ja: { f: "jf_alpha", m: "jm_kumo" },
  pt: { f: "pf_dora", m: "pm_alex" },
  zh: { f: "zf_xiaoxiao", m: "zm_yunxi" },
};

/** The shares of a native voice in the two halves of a style. */
interface Shares {
  readonly timbre: number;
  readonly prosody: number;
}

/**
 * With less of the native voice the sounds of a language are not understood well enough, with more the voice is not itself any more.
 * Measured by `npm run bench -- languages`.
 */
const USUAL_SHARES: Shares = { timbre: 0.3, prosody: 0.5 };
const SHARES: Readonly<Record<string, Shares>> = {
  // With less, the "r" after a consonant is lost: 87 % of the characters were understood, with this 95 %.
  fr: { timbre: 0.5, prosody: 0.7 },
};

export interface NativeVoice extends Shares {
  readonly name: string;
}

/**
 * The native voice that helps a voice to speak a language; undefined in its own language, and where there is none. A cloned voice
 * keeps its timbre, which has an offset for each language instead.
 */
export function nativeVoice(voice: EngineVoice, language: string): NativeVoice | undefined {
  const { language: own, prosody } = voice;
  const base = baseOf(language);
  const named = prosody ?? voice.embedding;
  if (baseOf(own) === base || named instanceof Float32Array) return undefined;
  const name = NATIVE_VOICES[base]?.[genderOf(named)];
  if (name === undefined) return undefined;
  const shares = SHARES[base] ?? USUAL_SHARES;
  return prosody === undefined ? { name, ...shares } : { name, timbre: 0, prosody: shares.prosody };
}

/** How much a native voice changes the pitch of a cloned voice, which has to stay that of the speaker. */
export function nativePitch(voice: EngineVoice, language: string): number {
  const { prosody } = voice;
  const native = nativeVoice(voice, language);
  if (prosody === undefined || native === undefined) return 1;
  return (pitchOfName(native.name) / pitchOfName(prosody)) ** native.prosody;
}

const pitchOfName = (name: string): number =>
  pitchOf({ slug: name, gender: genderOf(name) === "m" ? "male" : "female" });

const baseOf = (language: string): string => language.split("-")[0] ?? "";

/** The second letter of a voice's name is its gender: "af_heart". In a mix, the heaviest voice decides. */
function genderOf(embedding: Exclude<EngineVoice["embedding"], Float32Array>): Gender {
  const name =
    typeof embedding === "string"
      ? embedding
      : embedding.reduce((heaviest, voice) => (voice.weight > heaviest.weight ? voice : heaviest)).name;
  return name[1] === "m" ? "m" : "f";
}
