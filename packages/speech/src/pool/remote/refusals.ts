import { SpeechError } from "../../errors.ts";

const RETRY_SECONDS = 5;

export function noMachine(kind: string): SpeechError {
  return new SpeechError("overloaded", `no machine for ${kind} is connected`, RETRY_SECONDS);
}

export function onlyOlder(kind: string): SpeechError {
  const message = `the worker machines for ${kind} are of an older version, which cannot do this: upgrade them`;
  return new SpeechError("not_ready", message, RETRY_SECONDS);
}
