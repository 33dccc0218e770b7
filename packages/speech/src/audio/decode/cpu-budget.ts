/** What a file may cost in CPU time. */
export interface CpuBudget {
  /** For any file, so that slow machines can open it. */
  readonly baseSeconds: number;
  readonly perMiB: number;
  /** For each second of audio that has been decoded. */
  readonly perAudioSecond: number;
}

/**
 * An hour of speech in 20 MiB takes 4 to 10 s, with AAC of a high bit rate 25 s, and the largest valid header less than 3 s.
 * Files can be made that take hours: FFmpeg compares each tag with all others, and the index of an MP4 file can name the same
 * bytes many times.
 */
export const DEFAULT_CPU_BUDGET: CpuBudget = { baseSeconds: 5, perMiB: 0.25, perAudioSecond: 0.015 };

export function cpuSecondsFor(
  { baseSeconds, perMiB, perAudioSecond }: CpuBudget,
  bytes: number,
  audioSeconds: number,
): number {
  return baseSeconds + (perMiB * bytes) / 2 ** 20 + perAudioSecond * audioSeconds;
}
