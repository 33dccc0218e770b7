import type { VoiceParameters } from "../../../engines/kokoro/student/voice-gradient.ts";
import type { SpeakerVectors } from "../gradient/speaker-files.ts";
import { cosine, sumOf, unit } from "../xvector/vectors.ts";
import { type FitParts, fitVoice } from "./fit-voice.ts";
import type { RefinementSimilarity } from "./refinement.ts";
import type { SpokenText } from "./spoken-text.ts";

export interface RefineParts extends FitParts {
  /** The vectors of some speech, at the sample rate of the speaker networks. */
  vectorsOf(speech: Float32Array, signal: AbortSignal): Promise<SpeakerVectors>;
}

export interface RefineTexts {
  readonly refined: readonly SpokenText[];
  readonly measured: readonly SpokenText[];
}

export interface Refined {
  /** Undefined where the recordings that were left out do not agree. */
  readonly voice: VoiceParameters | undefined;
  readonly similarity: RefinementSimilarity;
}

export interface RefinementSteps {
  /** With all recordings. */
  readonly whole: number;
  /** Without one of the groups. */
  readonly check: number;
}

/** More bring a voice nearer to its speaker by the networks here, and hardly by others. */
export const REFINEMENT_STEPS: RefinementSteps = { whole: 40, check: 20 };
/** A smaller gain is not worth a change of the voice. */
const MIN_GAIN = 0.005;

/**
 * Refines a voice without each group of the recordings in turn, and measures with that group, in other texts, whether it has
 * become more similar to its speaker. Where it has, on average, it is refined with all, and kept where it is more similar to
 * these.
 */
export async function refineParameters(
  parts: RefineParts,
  start: VoiceParameters,
  groups: readonly SpeakerVectors[],
  texts: RefineTexts,
  signal: AbortSignal,
  steps = REFINEMENT_STEPS,
): Promise<Refined> {
  const fit = (target: readonly SpeakerVectors[], count: number) =>
    fitVoice(parts, start, meanVectors(target), { texts: texts.refined, steps: count }, signal);
  const measure = (voice: VoiceParameters) => spokenVectors(parts, voice, texts.measured, signal);
  const unrefined = await measure(start);
  const before = meanOf(groups.map((group) => similarity(unrefined, group)));
  const unchanged = { voice: undefined, similarity: { before, after: before } };
  const leftOut: number[] = [];
  for (const [index, group] of groups.entries()) {
    const refined = await fit(groups.toSpliced(index, 1), steps.check);
    leftOut.push(similarity(await measure(refined), group));
  }
  const after = meanOf(leftOut);
  if (!(after - before >= MIN_GAIN)) return unchanged;
  const voice = await fit(groups, steps.whole);
  const whole = meanVectors(groups);
  const isNearer = similarity(await measure(voice), whole) > similarity(unrefined, whole);
  return isNearer ? { voice, similarity: { before, after } } : unchanged;
}

/** The mean cosine over the speaker networks. A single one may fall where all others rise. */
function similarity(a: SpeakerVectors, b: SpeakerVectors): number {
  return meanOf([
    cosine(a.xvector, b.xvector),
    ...a.networks.map((vector, i) => cosine(vector, b.networks[i] ?? vector)),
  ]);
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean vectors of a voice over several texts. */
async function spokenVectors(
  { vectorsOf, pause }: RefineParts,
  voice: VoiceParameters,
  texts: readonly SpokenText[],
  signal: AbortSignal,
): Promise<SpeakerVectors> {
  const found: SpeakerVectors[] = [];
  for (const text of texts) {
    await pause(signal);
    const { speech } = await text.say(voice);
    found.push(await vectorsOf(speech, signal));
  }
  return meanVectors(found);
}

/** The vectors of a speaker from those of several pieces of speech. */
export function meanVectors(found: readonly SpeakerVectors[]): SpeakerVectors {
  const mean = (vectors: readonly Float32Array[]) => unit(sumOf(vectors.map((values) => ({ values, weight: 1 }))));
  return {
    xvector: mean(found.map(({ xvector }) => xvector)),
    networks: (found[0]?.networks ?? []).map((_, i) => mean(found.flatMap(({ networks }) => networks[i] ?? []))),
  };
}
