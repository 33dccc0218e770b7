import { errorCode } from "../lib/errors.ts";

/**
 * - `unknown-model`: no model or file has this name
 * - `corrupt`: the bytes are not those of the manifest
 * - `unreachable`: no source could be reached
 * - `disk-full`, `no-permission`: the folder of the store cannot be written
 * - `busy`: another process has held the model for too long
 */
export type ModelStoreErrorCode = "unknown-model" | "corrupt" | "unreachable" | "disk-full" | "no-permission" | "busy";

export class ModelStoreError extends Error {
  readonly code: ModelStoreErrorCode;

  constructor(code: ModelStoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ModelStoreError";
    this.code = code;
  }
}

/** Whether the source has caused the error, so that another one may work. */
export function isSourceFault(error: unknown): boolean {
  return error instanceof ModelStoreError && (error.code === "unreachable" || error.code === "corrupt");
}

/** Converts an error of the file system to one that says what to do; returns other errors unchanged. */
export function explainFileError(error: unknown, directory: string): unknown {
  switch (errorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return new ModelStoreError(
        "disk-full",
        `The disk is full: no space left for models in ${directory}. Free some, or set PARLANCE_MODELS to a folder on a larger disk.`,
        error,
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ModelStoreError(
        "no-permission",
        `No permission to write models to ${directory}. Make it writable, or set PARLANCE_MODELS to a folder that is.`,
        error,
      );
    case "ENOTDIR":
    case "EEXIST":
      return new ModelStoreError(
        "no-permission",
        `${directory} is not a folder. Set PARLANCE_MODELS to one that can hold models.`,
        error,
      );
    default:
      return error;
  }
}
