import { VOICE_LIMITS } from "@parlance/protocol";
import { decodeRecording } from "../../audio/decode.ts";

export interface CheckedRecording {
  readonly file: File;
  /** Undefined when the browser cannot decode the file. */
  readonly seconds: number | undefined;
  /** Why the server would reject it. */
  readonly refusal: string | undefined;
  /** Problems that may reduce the quality of the voice. */
  readonly warnings: readonly string[];
}

const QUIET = 0.05;
const CLIPPED_SHARE = 0.001;
const GOOD_SECONDS = 8;

/** Checks a recording before it is sent: too big, too short, too quiet, too loud. */
export async function checkRecording(file: File): Promise<CheckedRecording> {
  if (file.size > VOICE_LIMITS.fileBytes) {
    const maxMb = VOICE_LIMITS.fileBytes / 1e6;
    return {
      file,
      seconds: undefined,
      refusal: `The file is larger than ${maxMb} MB. Use a shorter recording or an mp3.`,
      warnings: [],
    };
  }
  const decoded = await decodeRecording(file).catch(() => undefined);
  if (decoded === undefined) {
    return {
      file,
      seconds: undefined,
      refusal: undefined,
      warnings: ["The browser cannot decode this file; the server may be able to."],
    };
  }
  const { samples, sampleRate } = decoded;
  const seconds = samples.length / sampleRate;
  return { file, seconds, refusal: refusalOf(seconds), warnings: warningsOf(samples) };
}

export function refusalOf(seconds: number): string | undefined {
  if (seconds < VOICE_LIMITS.minSeconds) return `The recording is shorter than ${VOICE_LIMITS.minSeconds} second.`;
  if (seconds > VOICE_LIMITS.maxSeconds) return `The recording is longer than ${VOICE_LIMITS.maxSeconds} seconds.`;
  return undefined;
}

/** All recordings together make the voice, so only their sum can be too short. */
export function isShort(recordings: readonly Pick<CheckedRecording, "seconds">[]): boolean {
  const known = recordings.map(({ seconds }) => seconds).filter((seconds) => seconds !== undefined);
  return known.length === recordings.length && known.length > 0 && known.reduce((a, b) => a + b, 0) < GOOD_SECONDS;
}

export function warningsOf(samples: Float32Array): readonly string[] {
  let peak = 0;
  let clipped = 0;
  for (const sample of samples) {
    const size = Math.abs(sample);
    peak = Math.max(peak, size);
    if (size >= 0.999) clipped++;
  }
  return [
    ...(peak < QUIET ? ["The recording is very quiet. Move closer to the microphone."] : []),
    ...(clipped > samples.length * CLIPPED_SHARE
      ? ["The recording is too loud and clips. Move away from the microphone."]
      : []),
  ];
}
