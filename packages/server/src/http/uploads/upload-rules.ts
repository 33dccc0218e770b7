import { type ApiError, apiError, type ValidationIssue } from "@parlance/protocol";
import type { UploadFile } from "../../services/uploads/upload-folder.ts";

export interface UploadTimeouts {
  /** How long no byte may arrive. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** A field that holds files. */
export interface FileRule {
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly required?: boolean;
  /** What one file is called in an error. */
  readonly label: string;
  /** In MessagePack and JSON, whether base64 and an array of integers are accepted besides bytes. */
  readonly acceptsEncoded?: boolean;
  /** The error for a file over its limit, where it is not `file_too_large`. */
  readonly tooLarge?: "audio_too_large";
}

export interface UploadRules {
  /** The fields that hold files. All others are held in memory. */
  readonly files: Readonly<Record<string, FileRule>>;
  readonly maxBodyBytes: number;
  /** The limit of a MessagePack body, where it is lower. */
  readonly maxMessagePackBytes?: number;
  /** The limit of a JSON body, which is held in memory. Left out: JSON is not accepted. */
  readonly maxJsonBytes?: number;
  /** The limit of one field that is not a file. */
  readonly maxFieldBytes: number;
  /** The limit of all fields that are not files together. */
  readonly maxFieldsBytes: number;
}

export interface Upload {
  /** The fields without the files. One that was given several times is an array. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, readonly UploadFile[]>>;
  /** What is wrong with the shape of the files. */
  readonly issues: readonly ValidationIssue[];
  /** Removes the files. */
  remove(): Promise<void>;
}

export function fileTooLarge(name: string, { maxBytes: limit, tooLarge }: FileRule): ApiError {
  return tooLarge === undefined ? apiError("file_too_large", { field: name, limit }) : apiError(tooLarge, { limit });
}

/** Where a body can hold one file only, nothing else can be that large. */
export function bodyTooLarge({ files }: UploadRules, limit: number): ApiError {
  const [first, ...others] = Object.entries(files);
  if (first === undefined || others.length > 0 || first[1].maxFiles > 1)
    return apiError("payload_too_large", { limit });
  return fileTooLarge(...first);
}
