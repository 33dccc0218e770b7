import type { EngineVoice } from "../engine.ts";
import { pitchOf } from "../voice-pitch.ts";

type Gender = "f" | "m";

/** Voices that pronounce each language well, by gender. French has no male voice. */
const NATIVE_VOICES: Readonly<Record<string, Partial<Record<Gender, string>>>> = {
  de: { f: "if_sara", m: "im_nicola" },
  en: { f: "af_heart", m: "am_michael" },
  es: { f: "ef_dora", m: "em_alex" },
  fr: { f: "ff_siwis", m: "ff_siwis" },
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

/** The largest share of a voice of the other gender: with more, a man does not sound like himself, and no more words are understood. */
const MOST_OTHER_TIMBRE = 0.2;

/**
 * The share in the timbre of a cloned voice, of what the native voice differs from the stock voice. The student learned to pronounce
 * every language with such timbres (language-offsets.ts), so most languages need none. With a fifth, 8.9 instead of 11.1 % of the words
 * were misheard in Italian, 8.5 instead of 9.5 % in French, 1.9 instead of 3.2 % of the characters in Japanese (docs/voices.md). In
 * Chinese it does not help.
 */
const CLONED_TIMBRE: Readonly<Record<string, number>> = { fr: 0.2, it: 0.2, ja: 0.2 };

/**
 * The share in the prosody of a cloned voice, by native voice. Four clones with half of `zf_xiaoxiao` had the wrong tone in some
 * words: 6.3 % of the characters were misheard, with all of it 4.4 %. More of `zm_yunxi` does not help.
 */
const CLONED_PROSODY: Readonly<Record<string, number>> = { zf_xiaoxiao: 1 };

/** The native voice that helps a voice to speak a language; undefined in its own language, and where there is none. */
export function nativeVoice(voice: EngineVoice, language: string): NativeVoice | undefined {
  const { language: own, prosody } = voice;
  const base = baseOf(language);
  const named = prosody ?? voice.embedding;
  if (baseOf(own) === base || named instanceof Float32Array) return undefined;
  const name = NATIVE_VOICES[base]?.[genderOf(named)];
  if (name === undefined) return undefined;
  const shares = SHARES[base] ?? USUAL_SHARES;
  if (prosody !== undefined)
    return { name, timbre: CLONED_TIMBRE[base] ?? 0, prosody: CLONED_PROSODY[name] ?? shares.prosody };
  return {
    name,
    ...shares,
    timbre: genderOf(name) === genderOf(named) ? shares.timbre : Math.min(shares.timbre, MOST_OTHER_TIMBRE),
  };
}

/**
 * The median pitch of the prosodies of cloned voices in each language, mixed with that of the native voice, as a multiple of that
 * in English. Measured on ten sentences: the mean of both voices' pitches is wrong by up to a quarter of an octave.
 */
const CLONED_PITCH: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  af_heart: {
    ...{ de: 1.059, es: 0.919, fr: 1.034, hi: 1.033, id: 1.036, it: 1.051 },
    ...{ ja: 1.161, pt: 0.931, zh: 1.26 },
  },
  am_michael: {
    ...{ de: 0.94, es: 1.054, fr: 1.584, hi: 1.065, id: 0.919, it: 0.928 },
    ...{ ja: 0.925, pt: 1.083, zh: 1.19 },
  },
};

/** How much a native voice changes the pitch where it has to stay: that of a cloned voice, and of a man beside a woman. */
export function nativePitch(voice: EngineVoice, language: string): number {
  const native = nativeVoice(voice, language);
  const named = voice.prosody ?? voice.embedding;
  if (native === undefined || named instanceof Float32Array) return 1;
  const measured = voice.prosody === undefined ? undefined : CLONED_PITCH[voice.prosody]?.[baseOf(language)];
  if (measured !== undefined) return measured;
  if (voice.prosody === undefined && genderOf(named) === genderOf(native.name)) return 1;
  return (pitchOfName(native.name) / pitchOfName(heaviest(named))) ** native.prosody;
}

/** The median pitch of the prosody of a cloned voice, in Hz. Undefined for other voices. */
export function prosodyPitch({ prosody }: EngineVoice): number | undefined {
  return prosody === undefined ? undefined : pitchOfName(prosody);
}

const pitchOfName = (name: string): number =>
  pitchOf({ slug: name, gender: genderOf(name) === "m" ? "male" : "female" });

const baseOf = (language: string): string => language.split("-")[0] ?? "";

type Named = Exclude<EngineVoice["embedding"], Float32Array>;

/** In a mix, the heaviest voice decides. */
const heaviest = (voice: Named): string =>
  typeof voice === "string" ? voice : voice.reduce((most, each) => (each.weight > most.weight ? each : most)).name;

/** The second letter of a voice's name is its gender: "af_heart". */
const genderOf = (voice: Named): Gender => (heaviest(voice)[1] === "m" ? "m" : "f");
