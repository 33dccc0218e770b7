import { SpeechError } from "../../errors.ts";

const RETRY_SECONDS = 5;

export function noMachine(kind: string): SpeechError {
  return new SpeechError("overloaded", `no machine for ${kind} is connected`, RETRY_SECONDS);
}

export function onlyOlder(kind: string): SpeechError {
  const message = `the worker machines for ${kind} are of an older version, which cannot do this: upgrade them`;
  return new SpeechError("not_ready", message, RETRY_SECONDS);
}

/**
 * Machines were lost with a job, one after the other. Nothing was heard of it, so a client may simply come back; where nobody
 * decides on that, the job may be what they were lost by.
 */
export class MachinesLostError extends SpeechError {
  constructor(message: string) {
    super("overloaded", message, RETRY_SECONDS);
  }
}
