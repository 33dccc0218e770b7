import { MachinesLostError, SpeechError } from "@parlance/speech";
import { errorCode } from "../../lib/error-code.ts";
import { ObjectStorageError } from "../../stores/object-storage.ts";
import { isStorageFull, isUnreachable } from "../../stores/store-error.ts";

/** Of memory and processes. */
const SYSTEM_CODES: ReadonlySet<string> = new Set(["EAGAIN", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);

/** Whether an error of background work is one of the moment, not of the voice: the work is done later. */
export function isPassingFault(error: unknown): boolean {
  if (error instanceof ObjectStorageError || isUnreachable(error) || isStorageFull(error)) return true;
  // The voice may be what the machines were lost by.
  if (error instanceof MachinesLostError) return false;
  if (error instanceof SpeechError) return error.code !== "failed";
  return SYSTEM_CODES.has(errorCode(error) ?? "");
}
