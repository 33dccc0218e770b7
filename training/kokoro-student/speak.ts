/**
 * The student as the model card describes it, written for clearness rather than speed: the evaluation speaks with it, and
 * it shows that the card is enough to do so. One window at a time: frames [from, to) of a text, exactly as in the whole.
 */
import type { InferenceSession } from "onnxruntime-node";
import { floats, floatsOf } from "../../packages/speech/src/engines/session.ts";
import { createFft } from "./fft.ts";

export const HOP = 300;
const FFT = 1024;
const BINS = FFT / 2 + 1;
const LOW_BINS = 64;
const ASR = 512;
const FEATURES = ASR + 4 + 2 * LOW_BINS;
/** Frames at either side that the network must see, and that a frame's window reaches over. */
export const CONTEXT = 25;
const OVERLAP = 2;
const FRAME_RATE = 80;

/** What the encoder half says of a text. `asr` is [512][T] as the encoder gives it; pitch and energy have 2T numbers. */
export interface Spoken {
  readonly asr: Float32Array;
  readonly pitch: Float32Array;
  readonly energy: Float32Array;
  /** The first 128 numbers of the voice's style. */
  readonly style: Float32Array;
}

const hann = Float64Array.from({ length: FFT }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / FFT));
const overlapSum = Float64Array.from({ length: HOP }, (_, place) => {
  let sum = 0;
  for (let frame = -OVERLAP; frame <= OVERLAP; frame++) {
    const at = place - frame * HOP - HOP / 2 + FFT / 2;
    if (at >= 0 && at < FFT) sum += (hann[at] ?? 0) ** 2;
  }
  return sum;
});
const fft = createFft(FFT);

export function createSpeaker(text: Spoken) {
  const frames = text.pitch.length;
  const condition = conditionOf(text);
  const phase = new Float64Array(frames);
  let cycles = 0;
  for (let u = 0; u < frames; u++) {
    cycles += (text.pitch[u] ?? 0) / FRAME_RATE;
    phase[u] = cycles;
  }

  /** One sample of the source; silent outside the text. */
  function source(n: number): number {
    const u = Math.floor(n / HOP);
    const pitch = text.pitch[u] ?? 0;
    if (pitch <= 10) return 0;
    const offset = (n - u * HOP + 0.5 - HOP / 2) / HOP;
    const slope = (offset < 0 ? pitch : (text.pitch[u + 1] ?? 0)) / FRAME_RATE;
    const cycle = (phase[u] ?? 0) + offset * slope;
    const half = Math.PI * (cycle - Math.floor(cycle));
    const harmonics = Math.floor(11_500 / Math.max(pitch, 60));
    const below = Math.sin(half);
    return 0.1 * (Math.abs(below) < 1e-4 ? harmonics : (Math.sin((2 * harmonics + 1) * half) / below - 1) / 2);
  }

  /** Spectra of the source (re, im) and the noise (re, im) of frame t, by one transform of both. */
  function spectraOf(t: number): { source: Float64Array[]; noise: Float64Array[] } {
    const re = new Float64Array(FFT);
    const im = new Float64Array(FFT);
    const start = t * HOP + HOP / 2 - FFT / 2;
    for (let i = 0; i < FFT; i++) {
      re[i] = source(start + i) * (hann[i] ?? 0);
      im[i] = noiseAt(start + i) * (hann[i] ?? 0);
    }
    fft(re, im);
    const out = [0, 1, 2, 3].map(() => new Float64Array(BINS));
    const [sr, si, nr, ni] = out as [Float64Array, Float64Array, Float64Array, Float64Array];
    for (let k = 0; k < BINS; k++) {
      const j = (FFT - k) % FFT;
      const [a, b, c, d] = [re[k] ?? 0, im[k] ?? 0, re[j] ?? 0, im[j] ?? 0];
      sr[k] = (a + c) / 2;
      si[k] = (b - d) / 2;
      nr[k] = (b + d) / 2;
      ni[k] = (c - a) / 2;
    }
    return { source: [sr, si], noise: [nr, ni] };
  }

  function featuresOf(t: number, out: Float32Array): void {
    if (t < 0 || t >= frames) return;
    const half = t >> 1;
    for (let c = 0; c < ASR; c++) out[c] = text.asr[c * (frames / 2) + half] ?? 0;
    const pitch = text.pitch[t] ?? 0;
    const voiced = pitch > 10;
    out[ASR] = voiced ? Math.log(pitch / 200) : 0;
    out[ASR + 1] = voiced ? 1 : 0;
    out[ASR + 2] = (text.energy[t] ?? 0) * 0.15;
    out[ASR + 3] = 1;
    const [re, im] = spectraOf(t).source;
    for (let k = 0; k < LOW_BINS; k++) {
      out[ASR + 4 + k] = (re?.[k] ?? 0) * 0.05;
      out[ASR + 4 + LOW_BINS + k] = (im?.[k] ?? 0) * 0.05;
    }
  }

  /** The samples of frames [from, to), 300 each. */
  return async function speak(network: InferenceSession, from = 0, to = frames): Promise<Float32Array> {
    const first = from - OVERLAP;
    const count = to - from + 2 * OVERLAP;
    const wide = count + 2 * CONTEXT;
    const features = new Float32Array(wide * FEATURES);
    for (let i = 0; i < wide; i++) {
      featuresOf(first - CONTEXT + i, features.subarray(i * FEATURES, (i + 1) * FEATURES));
    }
    const parts = await network.run({
      features: floats(features, 1, wide, FEATURES),
      condition: floats(condition, 1, condition.length),
    });
    const [gr, gi, ng, fr, fi] = ["gain_re", "gain_im", "noise_gain", "free_re", "free_im"].map((name) =>
      floatsOf(parts, name),
    );
    const samples = new Float64Array((to - from) * HOP);
    for (let i = 0; i < count; i++) {
      const t = first + i;
      const { source, noise } = spectraOf(t);
      const re = new Float64Array(FFT);
      const im = new Float64Array(FFT);
      for (let k = 0; k < BINS; k++) {
        const at = i * BINS + k;
        const [sr, si] = [source[0]?.[k] ?? 0, source[1]?.[k] ?? 0];
        const gain = ng?.[at] ?? 0;
        const x = (gr?.[at] ?? 0) * sr - (gi?.[at] ?? 0) * si + gain * (noise[0]?.[k] ?? 0) + (fr?.[at] ?? 0);
        const y = (gr?.[at] ?? 0) * si + (gi?.[at] ?? 0) * sr + gain * (noise[1]?.[k] ?? 0) + (fi?.[at] ?? 0);
        const real = k === 0 || k === FFT / 2;
        // Conjugate in, conjugate out: the inverse by the forward transform.
        re[k] = x;
        im[k] = real ? 0 : -y;
        if (!real) {
          re[FFT - k] = x;
          im[FFT - k] = y;
        }
      }
      fft(re, im);
      const start = (t - from) * HOP + HOP / 2 - FFT / 2;
      for (let n = 0; n < FFT; n++) {
        const at = start + n;
        if (at >= 0 && at < samples.length) samples[at] = (samples[at] ?? 0) + ((re[n] ?? 0) / FFT) * (hann[n] ?? 0);
      }
    }
    return Float32Array.from(samples, (value, n) => value / (overlapSum[n % HOP] ?? 1));
  };
}

/** The style and what the teacher's normalisation would see of the whole text. */
function conditionOf({ asr, pitch, energy, style }: Spoken): Float32Array {
  const frames = pitch.length / 2;
  const condition = new Float32Array(128 + 2 * ASR + 4);
  condition.set(style.subarray(0, 128));
  for (let c = 0; c < ASR; c++) {
    const { mean, deviation } = spread(asr.subarray(c * frames, (c + 1) * frames));
    condition[128 + c] = mean * 4;
    condition[128 + ASR + c] = deviation * 4;
  }
  const voiced = pitch.filter((hertz) => hertz > 10);
  const tone = voiced.reduce((sum, hertz) => sum + Math.log(hertz / 200), 0) / Math.max(1, voiced.length);
  const { mean, deviation } = spread(energy);
  condition.set([mean * 0.15, deviation * 0.15, tone, voiced.length / pitch.length], 128 + 2 * ASR);
  return condition;
}

function spread(values: Float32Array): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, deviation: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) };
}

/** Sample n of the noise: a hash of n, evenly spread, variance 1. */
export function noiseAt(n: number): number {
  let x = n >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  x = (x ^ (x >>> 16)) >>> 0;
  return (x / 2 ** 31 - 1) * Math.sqrt(3);
}
