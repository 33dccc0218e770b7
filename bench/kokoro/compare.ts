import { createModelStore, defaultModelsDirectory } from "@parlance/speech";
import { concatSamples } from "../../packages/speech/src/testing/signals.ts";
import { xvectorFiles } from "../../packages/speech/src/voices/clone/xvector/files.ts";
import { cosine } from "../../packages/speech/src/voices/clone/xvector/vectors.ts";
import { loadXVector, type XVector } from "../../packages/speech/src/voices/clone/xvector/xvector.ts";
import { makePair, openBoth, type Pair } from "./pairs.ts";
import { comparePitch, type PitchAgreement, pitchOf } from "./pitch.ts";
import { openRecognizers, type Recognition, type RecognizerName, resampled } from "./recognition.ts";
import {
  energyBelow,
  level,
  levelsInSilence,
  longTermSpectrum,
  melDistance,
  relativeCurvature,
} from "./spectral-distance.ts";
import { RATE } from "./stft.ts";
import { evaluationItems, type Item, isRecognized } from "./texts.ts";

type Recognitions = Partial<Record<RecognizerName, Recognition>>;

/** Everything that was measured of one sentence. */
export interface Comparison {
  readonly item: Item;
  readonly cosine: number;
  readonly mel: number;
  readonly pitch: PitchAgreement;
  /** Student minus teacher, by band, dB. */
  readonly spectrum: Float64Array;
  readonly louderDb: number;
  readonly silence: readonly number[];
  readonly below40: { readonly teacher: number; readonly student: number };
  /** At the window boundaries, relative to the samples around them. */
  readonly curvature: readonly number[];
  readonly recognized: { readonly teacher: Recognitions; readonly student: Recognitions };
}

export interface Compared {
  readonly comparisons: readonly Comparison[];
  /** By voice: the x-vectors of all its sentences together. */
  readonly voices: ReadonlyMap<string, number>;
  readonly pictures: readonly Pair[];
  readonly teacherIsFull: boolean;
}

const spectrogramVoices = ["af_heart", "am_onyx", "ef_dora", "ff_siwis", "if_sara", "pm_alex"];

/** Speaks every sentence with both decoders and compares. */
export async function compareAll(
  progress: (done: number, all: number) => void,
  items: readonly Item[] = evaluationItems(),
): Promise<Compared> {
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  await models.pull(["xvector", "moonshine-base", "whisper-base", "whisper-small"]);
  const both = await openBoth(2);
  const recognizers = await openRecognizers(2);
  const xvector = await loadXVector(xvectorFiles(models), 2);
  const comparisons: Comparison[] = [];
  const pictures: Pair[] = [];
  const spoken = new Map<string, Pair[]>();
  try {
    for (const item of items) {
      const pair = await makePair(both, item);
      spoken.set(item.voice, [...(spoken.get(item.voice) ?? []), pair]);
      if (spectrogramVoices.includes(item.voice) && spoken.get(item.voice)?.length === 1) pictures.push(pair);
      const recognize = async (samples: Float32Array): Promise<Recognitions> =>
        isRecognized(item) ? recognizers.recognize(samples, item) : {};
      comparisons.push({
        item,
        cosine: await meanCosine(xvector, [pair]),
        ...measure(pair),
        recognized: { teacher: await recognize(pair.teacher), student: await recognize(pair.student) },
      });
      progress(comparisons.length, items.length);
    }
    const voices = new Map<string, number>();
    for (const [voice, pairs] of spoken) voices.set(voice, await meanCosine(xvector, pairs));
    return { comparisons, voices, pictures, teacherIsFull: both.teacherIsFull };
  } finally {
    await Promise.all([both.close(), recognizers.close(), xvector.close()]);
  }
}

async function meanCosine(xvector: XVector, pairs: readonly Pair[]): Promise<number> {
  const embed = (samples: readonly Float32Array[]) =>
    xvector.embed(resampled(concatSamples(samples), RATE, xvector.sampleRate));
  return cosine(await embed(pairs.map((pair) => pair.teacher)), await embed(pairs.map((pair) => pair.student)));
}

function measure({ teacher, student, boundaries }: Pair) {
  const there = longTermSpectrum(teacher);
  return {
    mel: melDistance(student, teacher),
    pitch: comparePitch(pitchOf(teacher), pitchOf(student)),
    spectrum: longTermSpectrum(student).map((value, band) => value - (there[band] ?? 0)),
    louderDb: 20 * Math.log10(level(student) / level(teacher)),
    silence: levelsInSilence(teacher, student),
    below40: { teacher: energyBelow(teacher, 40), student: energyBelow(student, 40) },
    curvature: relativeCurvature(student, boundaries),
  };
}
