import type { UploadFolder } from "../uploads/upload-folder.ts";
import { withFile } from "../uploads/with-file.ts";
import { StallError, type TranscriptionService } from "./transcription.ts";

/** With an owner of its own it gets a place and its turn also while accounts have taken all places. */
const REQUEST = {
  owner: "refinement",
  engine: undefined,
  language: undefined,
  granularity: "segment",
  timestamps: false,
} as const;

/**
 * Transcribes stored recordings. The result is undefined while no recognizer is ready. A recording that makes no progress has
 * failed: as an overload it would be tried again without end.
 */
export function createStoredRecordingTranscriber(
  transcription: Pick<TranscriptionService, "transcribe">,
  isReady: () => boolean,
  uploads: Pick<UploadFolder, "create">,
): (recording: Buffer, signal: AbortSignal) => Promise<string | undefined> {
  return async (recording, signal) => {
    if (!isReady()) return undefined;
    const { text } = await withFile(uploads, recording, (path) =>
      transcription.transcribe(REQUEST, path, signal),
    ).catch((error: unknown) => {
      throw error instanceof StallError ? new Error("the recording could not be transcribed", { cause: error }) : error;
    });
    return text;
  };
}
