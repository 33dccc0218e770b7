import type { ApiError } from "@parlance/protocol";
import { errorBodyIn } from "../../error-body.ts";
import { openai } from "../openai.ts";
import type { Ids } from "./ids.ts";
import { MIN_COMMIT_MS } from "./input-buffer.ts";

/** A message of the client has no effect. With OpenAI's code, which its clients know. */
export class RealtimeError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "RealtimeError";
    this.code = code;
  }
}

/** Messages of the type `error`. `eventId` is the client's own id of the message that was wrong. */
export interface Errors {
  of(error: ApiError | RealtimeError, eventId?: string): object;
}

export function createErrors(ids: Ids): Errors {
  return {
    of(error, eventId) {
      const fields =
        error instanceof RealtimeError
          ? { type: "invalid_request_error", code: error.code, message: error.message, param: paramOf(error) }
          : errorOf(error);
      return ids.message("error", { error: { ...fields, event_id: eventId ?? null } });
    },
  };
}

/** The fields of an error, as in the body of a response over HTTP. */
export function errorOf(error: ApiError): object {
  const { error: fields } = errorBodyIn(openai, error) as { readonly error: object };
  return fields;
}

/** Messages about a field start with its name. */
function paramOf({ message }: RealtimeError): string | null {
  return /^([a-z][\w.]*): /.exec(message)?.[1] ?? null;
}

export const unknownEvent = (type: string): RealtimeError =>
  new RealtimeError("unknown_event", `type: there is no event "${type}"`);

export const commitTooSmall = (): RealtimeError =>
  new RealtimeError(
    "input_audio_buffer_commit_empty",
    `There is too little audio to commit: append at least ${MIN_COMMIT_MS} ms`,
  );
