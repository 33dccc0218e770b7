import type { VoiceParameters } from "../../../engines/kokoro/student/voice-gradient.ts";
import type { SpeakerVectors } from "../gradient/speaker-files.ts";
import { cosine, sumOf, unit } from "../xvector/vectors.ts";
import { type FitParts, fitVoice } from "./fit-voice.ts";
import type { RefinementSimilarity } from "./refinement.ts";
import type { SpokenText } from "./spoken-text.ts";

export interface RefineParts extends FitParts {
  /** The vectors of some speech, at the sample rate of the speaker networks. */
  vectorsOf(speech: Float32Array, signal: AbortSignal): Promise<SpeakerVectors>;
  /** The voice that is refined, as it would be if it were made for this speaker. */
  voiceFor(speaker: SpeakerVectors): Promise<VoiceParameters>;
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

/** More bring a voice nearer to its speaker by the networks here, and hardly by others. */
const STEPS = 40;
/** A smaller gain is not worth a change of the voice. */
const MIN_GAIN = 0.005;

/**
 * Makes and refines a voice without each group of the recordings in turn, and measures with that group, in other texts, whether
 * the refinement has made it more similar to its speaker. The given voice knows all groups, so it would have an advantage in
 * that comparison. Where refined voices are more similar, on average, the given one is refined with all groups, and kept where
 * it is more similar to these.
 */
export async function refineParameters(
  parts: RefineParts,
  start: VoiceParameters,
  groups: readonly SpeakerVectors[],
  texts: RefineTexts,
  signal: AbortSignal,
  steps = STEPS,
): Promise<Refined> {
  const fit = (from: VoiceParameters, target: SpeakerVectors) =>
    fitVoice(parts, from, target, { texts: texts.refined, steps }, signal);
  const similarityOf = async (voice: VoiceParameters, speaker: SpeakerVectors) =>
    similarity(await spokenVectors(parts, voice, texts.measured, signal), speaker);
  const leftOut: RefinementSimilarity[] = [];
  for (const [index, group] of groups.entries()) {
    const others = meanVectors(groups.toSpliced(index, 1));
    const made = await parts.voiceFor(others);
    const refined = await fit(made, others);
    leftOut.push({ before: await similarityOf(made, group), after: await similarityOf(refined, group) });
  }
  const [before, after] = [meanOf(leftOut.map((each) => each.before)), meanOf(leftOut.map((each) => each.after))];
  const unchanged = { voice: undefined, similarity: { before, after: before } };
  if (!(after - before >= MIN_GAIN)) return unchanged;
  const speaker = meanVectors(groups);
  const voice = await fit(start, speaker);
  const isNearer = (await similarityOf(voice, speaker)) > (await similarityOf(start, speaker));
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
