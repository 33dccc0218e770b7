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
export const REFINEMENT_STEPS: RefinementSteps = { whole: 60, check: 30 };
/** A smaller gain is not worth a change of the voice. */
const MIN_GAIN = 0.01;

/**
 * Refines a voice without each group of the recordings in turn, and measures with that group, in other texts, whether it has
 * become more similar to its speaker. Where it has, on average and by every speaker network, it is refined with all.
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
  const before: Similarities[] = [];
  const after: Similarities[] = [];
  for (const [index, leftOut] of groups.entries()) {
    const refined = await measure(await fit(groups.toSpliced(index, 1), steps.check));
    before.push(similarities(unrefined, leftOut));
    after.push(similarities(refined, leftOut));
  }
  const [meanBefore, meanAfter] = [meanSimilarities(before), meanSimilarities(after)];
  const [similarityBefore = 0] = meanBefore;
  const [similarityAfter = 0] = meanAfter;
  if (!isMoreSimilar(meanBefore, meanAfter))
    return { voice: undefined, similarity: { before: similarityBefore, after: similarityBefore } };
  return { voice: await fit(groups, steps.whole), similarity: { before: similarityBefore, after: similarityAfter } };
}

/** The cosine by x-vector, then those by the other speaker networks. */
type Similarities = readonly number[];

function similarities(a: SpeakerVectors, b: SpeakerVectors): Similarities {
  return [cosine(a.xvector, b.xvector), ...a.networks.map((vector, i) => cosine(vector, b.networks[i] ?? vector))];
}

function meanSimilarities(groups: readonly Similarities[]): Similarities {
  return (groups[0] ?? []).map((_, network) => meanOf(groups.map((values) => values[network] ?? 0)));
}

function isMoreSimilar(before: Similarities, after: Similarities): boolean {
  const gains = after.map((value, network) => value - (before[network] ?? 1));
  return meanOf(gains) >= MIN_GAIN && gains.every((gain) => gain > 0);
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
