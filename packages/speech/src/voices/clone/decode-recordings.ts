import { join } from "node:path";
import type { Decoder } from "../../audio/decode/index.ts";
import { AudioError } from "../../errors.ts";
import { inTemporaryFolder } from "../../lib/temporary-folder.ts";
import { CloneError } from "./clone-error.ts";
import { ANALYSIS_RATE } from "./extract-speech.ts";

/** Whose recordings are decoded, and where to. */
export interface DecodingRequest {
  /** Whose request it is. Recordings of several owners are decoded in turn. */
  readonly owner?: string | undefined;
  /** Where decoded recordings are stored meanwhile; the system's temporary folder by default. */
  readonly workFolder?: string | undefined;
}

export interface LengthLimits {
  /** Recordings that are shorter or longer are refused. */
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

/** Decodes the recording with this index into a folder. Returns the path of its samples: mono, 16 bits, 16 kHz. */
export type DecodeRecording = (
  path: string,
  index: number,
  folder: string,
  owner: string | undefined,
  signal: AbortSignal,
) => Promise<string>;

/** Recordings that cannot be decoded are refused with a `CloneError`. */
export function createRecordingDecoder(decoder: Decoder, { minSeconds, maxSeconds }: LengthLimits): DecodeRecording {
  const limits = { sampleRate: ANALYSIS_RATE, minSeconds, maxSeconds };
  return async (path, index, folder, owner, signal) => {
    const target = join(folder, String(index));
    try {
      await decoder.decode(path, target, { owner, ...limits }, signal);
      return target;
    } catch (error) {
      throw error instanceof AudioError ? new CloneError(index, refusalOf(error, limits), error) : error;
    }
  };
}

/** Works in a folder for decoded recordings. */
export function inFolder<Result>(
  { workFolder }: Pick<DecodingRequest, "workFolder">,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  return inTemporaryFolder("parlance-voice-", workFolder, work);
}

function refusalOf(error: AudioError, { minSeconds, maxSeconds }: LengthLimits): string {
  switch (error.code) {
    case "undecodable":
      return `cannot be decoded: ${error.message}`;
    case "no_audio":
      return "has no audio track";
    case "too_short":
      return `is too short: it has to last at least ${minSeconds} s`;
    case "too_long":
      return `is too long: it may last at most ${maxSeconds} s, send the best part of it`;
    case "too_costly":
      return "takes more time or memory to decode than a recording of the allowed length does";
  }
}
