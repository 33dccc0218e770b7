import { SpeechError } from "@parlance/speech";
import { ObjectStorageError } from "../../stores/object-storage.ts";

/** Of the disk, the memory and the process: they end without a change of the voice. */
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  "EAGAIN",
  "EDQUOT",
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOMEM",
  "ENOSPC",
]);

/** Whether an error of background work is one of the moment, not of the voice: the work is done later. */
export function isPassingFault(error: unknown): boolean {
  if (error instanceof ObjectStorageError) return true;
  if (error instanceof SpeechError) return error.code !== "failed";
  return error instanceof Error && "code" in error && SYSTEM_CODES.has(String(error.code));
}
