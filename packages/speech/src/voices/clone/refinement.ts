import { loadPiper, type PiperFiles } from "../../engines/piper/piper.ts";
import { SPEAKER_SIZE } from "../../engines/piper/stages.ts";
import { loadEspeak } from "../../g2p/espeak.ts";
import { createPronouncer } from "../../g2p/pronounce.ts";
import { type HeardSpeaker, meanSpeaker } from "./analyzed-speaker.ts";
import { evolve } from "./evolution.ts";
import { readLinearMap } from "./linear-map.ts";
import { paceFor } from "./pace.ts";
import { readSpeakerSpace } from "./speaker-space.ts";
import { steer, type TriedVoice } from "./steering.ts";
import { fitOf } from "./stock-speakers.ts";
import { createTrialVoices, TRIAL_SENTENCES, type Trial, type TrialVoices } from "./trial-voice.ts";
import { cosine, loadXVector, type XVectorFiles } from "./xvector/xvector.ts";

export interface RefiningSpec {
  readonly piper: PiperFiles;
  readonly xvector: XVectorFiles;
}

export interface RefiningJob {
  /** What is heard in each recording, and how many seconds of it. */
  readonly recordings: readonly (HeardSpeaker & { readonly weight: number })[];
  /** Voices to begin with; the best of them is taken. */
  readonly starts: readonly (string | Float32Array)[];
  /** How fast the speaker speaks, where it is known. */
  readonly lettersPerSecond?: number | undefined;
  /**
   * Whether what is missing in a voice is asked for in addition: a few trials, and most of the way. What the linear map says
   * is one more to begin with then.
   */
  readonly steer: boolean;
  /** How many voices are bred after that, if any. */
  readonly effort?: Effort | undefined;
}

export interface Effort {
  readonly population: number;
  readonly generations: number;
}

export interface RefinedVoice {
  readonly embedding: string | Float32Array;
  readonly pace: number;
  /** How like the speaker it sounds: cosines of x-vectors, of this voice and of the best one to begin with. */
  readonly similarity: number;
  readonly startSimilarity: number;
}

const FIRST_STEP = 0.3;
/** Voices are judged in the end by speech that they were not bred with. */
const SEED_OF_JUDGES = 1001;

type Embedding = string | Float32Array;

/**
 * Brings a voice closer to recordings of its speaker: voices are made, heard, corrected and then bred. What comes of it is
 * kept only when it is closer in speech that the search has not heard. For a process of its own.
 */
export function createRefining(spec: RefiningSpec) {
  const loaded = load(spec);
  loaded.catch(() => {});
  return async (job: RefiningJob, signal: AbortSignal): Promise<RefinedVoice> => {
    const { trials, map, space, speakerOf } = await loaded;
    // All of them: one that is held back to judge by would tell less than it is missed.
    const wanted = meanSpeaker(job.recordings);
    const tryVoice = (embedding: Embedding) => heardAs(trials, embedding, wanted, 1);

    let start: (TriedVoice & { readonly embedding: Embedding }) | undefined;
    // The map itself makes a voice too; now and then it is the best to begin with.
    for (const embedding of job.steer ? [...job.starts, map.toVector(map.describe(wanted))] : job.starts) {
      signal.throwIfAborted();
      const heard = await tryVoice(embedding);
      if (start === undefined || heard.fit > start.heard.fit)
        start = { embedding, vector: speakerOf(embedding), heard };
    }
    if (start === undefined) throw new Error("there is nothing to begin with");

    const { vector: from } = job.steer ? await steer(map, wanted, start, tryVoice, signal) : start;
    const found: Embedding[] = [start.embedding, from];
    if (job.effort) {
      const point = await evolve(
        { ...job.effort, dimensions: space.dimensions, step: FIRST_STEP, seed: 1 },
        async (by, generation) => {
          // Each generation says something else, so that no voice is bred for one sentence.
          const sentence = TRIAL_SENTENCES[generation % TRIAL_SENTENCES.length] ?? "";
          return fitOf(await trials.hear(space.moved(from, by), sentence, generation + 1), wanted);
        },
        signal,
      );
      found.push(space.moved(from, point));
    }

    const judged: JudgedVoice[] = [];
    for (const embedding of new Set([...job.starts, ...found])) {
      signal.throwIfAborted();
      judged.push({ embedding, ...(await heardAs(trials, embedding, wanted, SEED_OF_JUDGES)) });
    }
    const best = bestOf(judged);
    const before = bestOf(judged.filter(({ embedding }) => job.starts.includes(embedding)));
    return {
      embedding: best.embedding,
      pace: paceOf(best.trials, job.lettersPerSecond),
      similarity: best.similarity,
      startSimilarity: before.similarity,
    };
  };
}

async function load(spec: RefiningSpec) {
  const piper = await loadPiper(spec.piper, createPronouncer(await loadEspeak()), 1);
  const speakerOf = (embedding: Embedding): Float32Array => {
    if (typeof embedding !== "string") return embedding;
    return piper.speakers.slice(Number(embedding) * SPEAKER_SIZE, (Number(embedding) + 1) * SPEAKER_SIZE);
  };
  return {
    trials: createTrialVoices(piper, await loadXVector(spec.xvector)),
    map: await readLinearMap(),
    space: await readSpeakerSpace(),
    speakerOf,
  };
}

/** What a voice sounds like in all of the sentences, and how well that fits a speaker. */
async function heardAs(trials: TrialVoices, embedding: Embedding, speaker: HeardSpeaker, seed: number) {
  const heard: Trial[] = [];
  for (const sentence of TRIAL_SENTENCES) heard.push(await trials.hear(embedding, sentence, seed));
  const mean = meanSpeaker(heard.map((trial) => ({ ...trial, weight: 1 })));
  return { ...mean, trials: heard, fit: fitOf(mean, speaker), similarity: cosine(mean.vector, speaker.vector) };
}

type JudgedVoice = { readonly embedding: Embedding } & Awaited<ReturnType<typeof heardAs>>;

/** The first of several that are as good. */
function bestOf(judged: readonly JudgedVoice[]): JudgedVoice {
  return judged.reduce((best, voice) => (voice.fit > best.fit ? voice : best));
}

/** By the times of the words, without the pauses between them. */
function paceOf(trials: readonly Trial[], wanted: number | undefined): number {
  const letters = trials.reduce((sum, trial) => sum + trial.letters, 0);
  const seconds = trials.reduce((sum, trial) => sum + trial.speechSeconds, 0);
  return paceFor(wanted, letters / seconds);
}
