/**
 * After the last frame with more energy than this there is no sound for more than two frames, measured with all voices. The energy
 * is a logarithm.
 */
const SILENT_ENERGY = -3;

/** The frames of a text between the silence at its start and that at its end. Both are 0 where all are silent. */
export function soundRange(energy: Float32Array): { readonly start: number; readonly end: number } {
  const isLoud = (value: number) => value > SILENT_ENERGY;
  return { start: Math.max(0, energy.findIndex(isLoud)), end: energy.findLastIndex(isLoud) + 1 };
}
