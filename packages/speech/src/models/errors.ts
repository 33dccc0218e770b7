/**
 * unknown-model: no such name · corrupt: the bytes are not those of the manifest · unreachable: no source answered ·
 * disk-full, no-permission: the store's folder cannot be written · busy: another process holds the model for too long
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

/** The source is to blame, so another one may do better. */
export function isSourceFault(error: unknown): boolean {
  return error instanceof ModelStoreError && (error.code === "unreachable" || error.code === "corrupt");
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Turns what the file system says into a line that tells what to do; other errors pass as they are. */
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
