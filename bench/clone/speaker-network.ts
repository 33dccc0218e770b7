import { floats, floatsOf, openSession } from "../../packages/speech/src/engines/session.ts";

/** A speaker network that is not part of the training of voices; see training/many-voices/speaker_network.py. */
export interface SpeakerNetwork {
  /** A vector of length 1 of speech at `SPEAKER_NETWORK_RATE`. */
  vectorOf(samples: Float32Array): Promise<Float32Array>;
}

export const SPEAKER_NETWORK_RATE = 8000;
const BANDS = 40;
const BINS = 129;
const WINDOW = 200;
const HOP = 80;
const TRANSFORM = 256;
const LOWEST_HERTZ = 60;
const HIGHEST_HERTZ = 3900;

export async function loadSpeakerNetwork(file: string): Promise<SpeakerNetwork> {
  const session = await openSession(file, 1, { keepMemory: false });
  return {
    async vectorOf(samples) {
      const bands = bandsOf(samples);
      return floatsOf(await session.run({ features: floats(bands, 1, BANDS, bands.length / BANDS) }), "vector");
    },
  };
}

/** Log-mel bands without their means, band by band. */
function bandsOf(samples: Float32Array): Float32Array {
  const frames = Math.max(0, Math.floor((samples.length - WINDOW) / HOP) + 1);
  const bands = new Float32Array(BANDS * frames);
  for (let frame = 0; frame < frames; frame++) {
    const power = powersOf(samples.subarray(frame * HOP, frame * HOP + WINDOW));
    for (const [band, weights] of BANK.entries()) {
      const sum = weights.reduce((total, weight, bin) => total + weight * (power[bin] ?? 0), 0);
      bands[band * frames + frame] = Math.log(sum + 1e-6);
    }
  }
  for (let band = 0; band < BANDS; band++) {
    const row = bands.subarray(band * frames, (band + 1) * frames);
    const mean = row.reduce((sum, value) => sum + value, 0) / frames;
    for (const [i, value] of row.entries()) row[i] = value - mean;
  }
  return bands;
}

const TURN = Array.from({ length: TRANSFORM }, (_, i) => (2 * Math.PI * i) / TRANSFORM);
const COSINE = TURN.map(Math.cos);
const SINE = TURN.map(Math.sin);
const HANN = Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW));

/** The power of each frequency. The frame is short, so the sum is computed as it is defined. */
function powersOf(samples: Float32Array): Float64Array {
  const windowed = samples.map((sample, i) => sample * (HANN[i] ?? 0));
  return Float64Array.from({ length: BINS }, (_, bin) => {
    let real = 0;
    let imaginary = 0;
    for (let i = 0; i < WINDOW; i++) {
      const turn = (bin * i) % TRANSFORM;
      real += (windowed[i] ?? 0) * (COSINE[turn] ?? 0);
      imaginary += (windowed[i] ?? 0) * (SINE[turn] ?? 0);
    }
    return real ** 2 + imaginary ** 2;
  });
}

const BANK: readonly Float64Array[] = bankOf();

function bankOf(): Float64Array[] {
  const mel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
  const [low, high] = [mel(LOWEST_HERTZ), mel(HIGHEST_HERTZ)];
  const points = Array.from(
    { length: BANDS + 2 },
    (_, i) => 700 * (10 ** ((low + ((high - low) * i) / (BANDS + 1)) / 2595) - 1),
  );
  return Array.from({ length: BANDS }, (_, band) => {
    const [from = 0, top = 0, to = 0] = points.slice(band, band + 3);
    return Float64Array.from({ length: BINS }, (_, bin) => {
      const hertz = (bin * SPEAKER_NETWORK_RATE) / 2 / (BINS - 1);
      return Math.max(0, Math.min((hertz - from) / (top - from), (to - hertz) / (to - top)));
    });
  });
}
