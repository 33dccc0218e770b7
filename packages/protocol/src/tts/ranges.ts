export interface Range {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** Bounds of the numeric options, in the order in which they are checked. */
export const TTS_RANGES = {
  chunk_length: { min: 100, max: 300, default: 200 },
  min_chunk_length: { min: 0, max: 100, default: 50 },
  temperature: { min: 0, max: 1, default: 0.7 },
  top_p: { min: 0, max: 1, default: 0.7 },
} as const satisfies Record<string, Range>;

export const PROSODY_RANGES = {
  speed: { min: 0.5, max: 2, default: 1 },
  volume: { min: -20, max: 20, default: 0 },
} as const satisfies Record<string, Range>;
