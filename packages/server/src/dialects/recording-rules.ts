import type { UploadRules } from "../http/uploads/upload-rules.ts";

/** As the other services: the speech of an agent's user is often shorter than a second. */
export const MIN_SPEECH_SECONDS = 0.1;

/** A body with one recording, in the field of this name, and a few options. */
export function recordingRules(field: string, maxFileBytes: number, maxBodyBytes: number): UploadRules {
  return {
    files: {
      [field]: {
        maxFiles: 1,
        maxBytes: maxFileBytes,
        required: true,
        label: "recording",
        tooLarge: "audio_too_large",
      },
    },
    maxBodyBytes,
    maxFieldBytes: 4096,
    maxFieldsBytes: 64 * 1024,
  };
}
