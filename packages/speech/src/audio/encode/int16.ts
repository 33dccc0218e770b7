/**
 * Rounds without dither: the noise of synthetic speech is far above the last bit. So pauses stay digital silence, and the same
 * samples always give the same bytes. `rounded` is where they are written, by default to new memory.
 */
export function toInt16(samples: Float32Array, rounded = new Int16Array(samples.length)): Int16Array {
  for (let i = 0; i < samples.length; i++) {
    rounded[i] = Math.max(-32768, Math.min(32767, Math.round((samples[i] ?? 0) * 32768)));
  }
  return rounded;
}
