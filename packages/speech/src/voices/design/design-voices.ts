import { createUniformSource } from "../../engines/random.ts";
import { pitchOf, USUAL_PITCH } from "../../engines/voice-pitch.ts";
import { clamp } from "../../lib/clamp.ts";
import type { SpeechVoice, Voice, VoiceMix } from "../../speech.ts";
import { traitsOf } from "./traits.ts";

export interface DesignOptions {
  /** BCP 47. Left out: as the description says, or English. */
  readonly language?: string | undefined;
  /** How many different voices. */
  readonly count: number;
  readonly seed: number;
}

/** A voice that was put together from stock voices. */
export interface DesignedVoice {
  readonly voice: SpeechVoice & { readonly mix: VoiceMix };
  /** BCP 47. */
  readonly language: string;
  /** What was understood of the description, in words. */
  readonly understood: readonly string[];
}

/** The limits of what still sounds natural. */
const PITCH = { min: 0.82, max: 1.25 };
const PACE = { min: 0.7, max: 1.4 };
/** The share of the first voice in a mix, in percent. */
const SHARE = { min: 55, max: 85 };
/** The second voice of a mix is one of this many that fit best. */
const PARTNERS = 3;
/** Factors of the pitch where there are fewer voices than candidates. */
const VARIATIONS = [1, 1.06, 0.94, 1.12];

/**
 * Chooses and mixes stock voices by what a description says of sex, age, pitch, accent, pace and mood. It is a search, not a
 * model: it cannot make timbres that no mix of stock voices has. Empty when no installed voice speaks the language.
 */
export function designVoices(
  description: string,
  voices: readonly Voice[],
  { language, count, seed }: DesignOptions,
): readonly DesignedVoice[] {
  const traits = traitsOf(description);
  const wanted = language ?? traits.accent ?? "en";
  // An accent such as en-GB narrows the requested language.
  const accent = traits.accent !== undefined && primary(traits.accent) === primary(wanted) ? traits.accent : wanted;
  const speaking = voices.filter((voice) => primary(voice.language) === primary(wanted));
  const gendered = speaking.filter((voice) => traits.gender === undefined || voice.gender === traits.gender);
  const fitting = gendered.length > 0 ? gendered : speaking;
  const engine = fitting[0]?.engine;
  const target = (voice: Voice): number => USUAL_PITCH[voice.gender] * traits.pitch;
  /** Less is better. Without any word on pitch, the order of the catalog counts: best first. */
  const misfit = (voice: Voice, order: number): number =>
    (accent.includes("-") && voice.language !== accent ? 1 : 0) +
    (traits.pitch === 1 ? 0 : Math.abs(Math.log(pitchOf(voice) / target(voice)))) +
    order * 0.01;
  const ranked = fitting
    .filter((voice) => voice.engine === engine)
    .map((voice, order) => ({ voice, misfit: misfit(voice, order) }))
    .sort((a, b) => a.misfit - b.misfit)
    .map(({ voice }) => voice);
  const random = createUniformSource(seed);
  return Array.from({ length: ranked.length === 0 ? 0 : count }, (_, index) => {
    const first = ranked[index % ranked.length];
    if (first === undefined) throw new Error("there is no voice to choose");
    const others = ranked.filter((voice) => voice !== first && voice.gender === first.gender).slice(0, PARTNERS);
    const second = others[Math.floor(random() * others.length)];
    const share = second ? Math.round(SHARE.min + random() * (SHARE.max - SHARE.min)) : 100;
    const parts = [{ voice: first, weight: share }, ...(second ? [{ voice: second, weight: 100 - share }] : [])];
    const made = parts.reduce((sum, { voice, weight }) => sum + (pitchOf(voice) * weight) / 100, 0);
    const variation = VARIATIONS[Math.floor(index / ranked.length) % VARIATIONS.length] ?? 1;
    const pitch = clamp((traits.pitch === 1 ? 1 : target(first) / made) * variation, PITCH.min, PITCH.max);
    const mix: VoiceMix = {
      parts: parts.map(({ voice, weight }) => ({ voice: voice.slug, weight })),
      pitch: round(pitch),
      pace: round(clamp(traits.pace, PACE.min, PACE.max)),
    };
    return { voice: mixedVoice(mix, first.engine), language: first.language, understood: traits.understood };
  });
}

/** The id says what the voice is made of, so that it can be used again without being stored. */
function mixedVoice(mix: VoiceMix, engine: Voice["engine"]): SpeechVoice & { readonly mix: VoiceMix } {
  const parts = mix.parts.map(({ voice, weight }) => `${voice}-${weight}`);
  const percent = (value: number): number => Math.round(value * 100);
  const id = ["mix", ...parts, `pitch-${percent(mix.pitch)}`, `pace-${percent(mix.pace)}`].join(".");
  return { id, engine, mix };
}

const MIX_ID = /^mix((?:\.[a-z0-9_]{1,40}-\d{1,3}){1,4})\.pitch-(\d{2,3})\.pace-(\d{2,3})$/;

/** The voice of such an id. Undefined when it is none, or names voices that are not installed or cannot be mixed. */
export function findMixedVoice(id: string, voices: readonly Voice[]): SpeechVoice | undefined {
  const [, list = "", pitch, pace] = MIX_ID.exec(id) ?? [];
  const parts = list
    .split(".")
    .slice(1)
    .map((part) => {
      const [slug = "", weight] = part.split("-");
      return { voice: voices.find((voice) => voice.slug === slug), weight: Number(weight) };
    });
  const engine = parts[0]?.voice?.engine;
  const isWithin = (value: number, { min, max }: typeof PITCH): boolean => value >= min && value <= max;
  const isPossible =
    engine !== undefined &&
    parts.every(({ voice, weight }) => voice?.engine === engine && weight > 0) &&
    isWithin(Number(pitch) / 100, PITCH) &&
    isWithin(Number(pace) / 100, PACE);
  if (!isPossible) return undefined;
  const mix: VoiceMix = {
    parts: parts.flatMap(({ voice, weight }) => (voice ? [{ voice: voice.slug, weight }] : [])),
    pitch: Number(pitch) / 100,
    pace: Number(pace) / 100,
  };
  return mixedVoice(mix, engine);
}

function primary(language: string): string {
  return language.split(/[-_]/, 1)[0]?.toLowerCase() ?? "";
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
