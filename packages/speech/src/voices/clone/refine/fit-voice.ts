import type { VoiceParameters } from "../../../engines/kokoro/student/voice-gradient.ts";
import type { SpeakerVectors } from "../gradient/speaker-files.ts";
import type { SpeakerGradients } from "../gradient/speaker-gradients.ts";
import { createAdam } from "./adam.ts";
import type { PauseForShare } from "./cpu-share.ts";
import type { SpokenText } from "./spoken-text.ts";

export interface FitParts {
  readonly speakers: SpeakerGradients;
  readonly pause: PauseForShare;
}

export interface FitOptions {
  readonly texts: readonly SpokenText[];
  readonly steps: number;
}

/**
 * Of the first step. The numbers of a timbre differ by 0.13 between voices. With twice as much, voices are nearer to their
 * speaker by these networks, but not by others, and words are misheard.
 */
const RATES = { timbre: 0.0067, offsets: 0.015 };
/** The x-vector counts as much as the small networks together: it was trained with many more people. */
const WEIGHTS = { xvector: 25, network: 8 };
/** Draws the offsets to zero. */
const SHRINKAGE = 1 / 896;

/**
 * Changes a voice so that it is more similar to a speaker, by gradient through decoder and speaker networks, one text in each
 * step. With a single speaker network the voice would learn what only that one hears.
 */
export async function fitVoice(
  { speakers, pause }: FitParts,
  start: VoiceParameters,
  target: SpeakerVectors,
  { texts, steps }: FitOptions,
  signal: AbortSignal,
): Promise<VoiceParameters> {
  const voice = copyOf(start);
  const optimize = {
    timbre: createAdam({ values: voice.timbre, rate: RATES.timbre }),
    offsets: createAdam({ values: voice.offsets, rate: RATES.offsets }),
  };
  for (let step = 0; step < steps; step++) {
    await pause(signal);
    const text = texts[step % texts.length];
    if (text === undefined) throw new RangeError("a voice is refined with at least one text");
    const { speech, backward } = await text.say(voice);
    const { gradient } = await speakers.distances(speech, target, WEIGHTS);
    const slopes = await backward(gradient);
    // The numbers of the voice would all become NaN.
    if (!slopes.timbre.every(Number.isFinite)) throw new Error("the gradient of a voice is not finite");
    // Single texts differ, so the last steps are small.
    const factor = 1 - step / steps;
    optimize.timbre(slopes.timbre, factor);
    optimize.offsets(
      slopes.offsets.map((slope, i) => slope + SHRINKAGE * (voice.offsets[i] ?? 0)),
      factor,
    );
  }
  return voice;
}

const copyOf = ({ timbre, offsets }: VoiceParameters): VoiceParameters => ({
  timbre: timbre.slice(),
  offsets: offsets.slice(),
});
