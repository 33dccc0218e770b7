/**
 * A second-order Butterworth high-pass filter, in place, for consecutive pieces of a signal. An octave above the cutoff it
 * attenuates by 0.3 dB, an octave below by 12 dB.
 */
export function createHighPass(sampleRate: number, hertz: number): (samples: Float32Array) => void {
  const k = Math.tan((Math.PI * hertz) / sampleRate);
  const a0 = 1 + Math.SQRT2 * k + k * k;
  const b0 = 1 / a0;
  const a1 = (2 * (k * k - 1)) / a0;
  const a2 = (1 - Math.SQRT2 * k + k * k) / a0;
  let before = 0;
  let earlier = 0;
  return (samples) => {
    for (let i = 0; i < samples.length; i++) {
      const sample = b0 * (samples[i] ?? 0);
      const out = sample + before;
      before = -2 * sample - a1 * out + earlier;
      earlier = sample - a2 * out;
      samples[i] = out;
    }
  };
}
