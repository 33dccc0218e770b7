import { type EngineSpec, loadEngine } from "../../engines/load.ts";
import { readLinearMap } from "./linear-map.ts";
import { paceFor } from "./pace.ts";
import { meanFeatures, type SpeakerFeatures, type WeightedFeatures } from "./speaker-features.ts";
import { steer, type TriedVoice } from "./steering.ts";
import { fitOf } from "./stock-speakers.ts";
import { createTrials, TRIAL_SENTENCES, type Trial, type Trials } from "./trials.ts";
import { cosine, loadXVector, type XVectorFiles } from "./xvector/xvector.ts";

export interface RefinementSpec {
  readonly engine: EngineSpec;
  readonly xvector: XVectorFiles;
}

export interface RefinementJob {
  readonly recordings: readonly WeightedFeatures[];
  /** Voices to start from; the best of them is taken. */
  readonly candidates: readonly Embedding[];
  /** How fast the speaker speaks, where it is known. */
  readonly lettersPerSecond?: number | undefined;
}

export interface RefinedVoice {
  readonly embedding: Embedding;
  readonly pace: number;
  /** Cosine of the x-vectors of this voice and of the speaker. */
  readonly similarity: number;
  /** The same for the best of the candidates. */
  readonly initialSimilarity: number;
}

/** The name of one of the engine's own speakers, or a vector. */
type Embedding = string | Float32Array;

const STEERING_SEED = 1;
/** The final comparison uses speech that no voice was chosen by. */
const JUDGING_SEED = 1001;

/**
 * Brings a voice closer to recordings of its speaker: candidates are tried, the best one is corrected in steps (steering),
 * and the result is kept only if it is closer in speech that steering has not used. For a process of its own.
 */
export function createRefiner(spec: RefinementSpec) {
  const loaded = load(spec);
  loaded.catch(() => {});
  return async (job: RefinementJob, signal: AbortSignal): Promise<RefinedVoice> => {
    const { trials, map, vectorOf } = await loaded;
    // All recordings are used: holding one back to judge by would cost more than it tells.
    const target = meanFeatures(job.recordings);
    const tryVoice = (embedding: Embedding) => judge(trials, embedding, target, STEERING_SEED);

    let start: (TriedVoice & { readonly embedding: Embedding }) | undefined;
    // The linear map gives one more candidate; occasionally it is the best one.
    for (const embedding of [...job.candidates, map.toVector(map.describe(target))]) {
      signal.throwIfAborted();
      const result = await tryVoice(embedding);
      if (start === undefined || result.fit > start.result.fit)
        start = { embedding, vector: vectorOf(embedding), result };
    }
    if (start === undefined) throw new Error("refinement needs at least one candidate");

    const steered = await steer(map, target, start, tryVoice, signal);
    const judged: JudgedVoice[] = [];
    for (const embedding of new Set([...job.candidates, start.embedding, steered.vector])) {
      signal.throwIfAborted();
      judged.push({ embedding, ...(await judge(trials, embedding, target, JUDGING_SEED)) });
    }
    const best = bestOf(judged);
    const initial = bestOf(judged.filter(({ embedding }) => job.candidates.includes(embedding)));
    return {
      embedding: best.embedding,
      pace: paceOf(best.trials, job.lettersPerSecond),
      similarity: best.similarity,
      initialSimilarity: initial.similarity,
    };
  };
}

async function load(spec: RefinementSpec) {
  const engine = await loadEngine(spec.engine);
  const vectorOf = (embedding: Embedding): Float32Array => {
    if (typeof embedding !== "string") return embedding;
    const vector = engine.speakerEmbedding?.(embedding);
    if (!vector) throw new Error(`the engine ${spec.engine.engine} has no speaker embeddings`);
    return vector;
  };
  const trials = createTrials(engine, await loadXVector(spec.xvector));
  return { trials, map: await readLinearMap(), vectorOf };
}

/** Speaks all trial sentences with a voice and compares the result with the speaker. */
async function judge(trials: Trials, embedding: Embedding, target: SpeakerFeatures, seed: number) {
  const results: Trial[] = [];
  for (const sentence of TRIAL_SENTENCES) results.push(await trials.run(embedding, sentence, seed));
  const mean = meanFeatures(results.map((trial) => ({ ...trial, weight: 1 })));
  return { ...mean, trials: results, fit: fitOf(mean, target), similarity: cosine(mean.vector, target.vector) };
}

type JudgedVoice = { readonly embedding: Embedding } & Awaited<ReturnType<typeof judge>>;

/** The first one among equals. */
function bestOf(judged: readonly JudgedVoice[]): JudgedVoice {
  return judged.reduce((best, voice) => (voice.fit > best.fit ? voice : best));
}

/** From the times of the words, without the pauses between them. */
function paceOf(trials: readonly Trial[], target: number | undefined): number {
  const letters = trials.reduce((sum, trial) => sum + trial.letters, 0);
  const seconds = trials.reduce((sum, trial) => sum + trial.speechSeconds, 0);
  return paceFor(target, letters / seconds);
}
