import { ASR, CONDITION, MIN_PITCH, type Prosody, STYLE } from "./shape.ts";

/** The style, and the statistics of the whole text that the original decoder normalizes with: means and deviations. */
export function conditionOf({ asr, pitch, energy, style }: Prosody): Float32Array {
  const condition = new Float32Array(CONDITION);
  condition.set(style.subarray(0, STYLE));
  const width = asr.length / ASR;
  for (let channel = 0; channel < ASR; channel++) {
    const { mean, deviation } = spread(asr, channel * width, (channel + 1) * width);
    condition[STYLE + channel] = 4 * mean;
    condition[STYLE + ASR + channel] = 4 * deviation;
  }
  let voiced = 0;
  let tone = 0;
  for (const hertz of pitch) {
    if (!(hertz > MIN_PITCH)) continue;
    voiced++;
    tone += Math.log(hertz / 200);
  }
  const { mean, deviation } = spread(energy, 0, energy.length);
  const statistics = [0.15 * mean, 0.15 * deviation, tone / Math.max(1, voiced), voiced / Math.max(1, pitch.length)];
  condition.set(statistics, STYLE + 2 * ASR);
  return condition;
}

function spread(values: Float32Array, from: number, to: number): { mean: number; deviation: number } {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i] ?? 0;
  const mean = sum / (to - from);
  let squares = 0;
  for (let i = from; i < to; i++) squares += ((values[i] ?? 0) - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / (to - from)) };
}
