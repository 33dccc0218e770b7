import { type ApiError, apiError, type ClientFrame, countCharacters, isRecord } from "@parlance/protocol";
import { createRound, type Round } from "./round.ts";

/** What a socket has to do next: speak a round, or report an error. */
export type Task = { readonly round: Round } | { readonly refusal: ApiError };

/** Turns the frames of a client into rounds, in whatever order they come. Knows nothing of sockets. */
export interface RoundQueue {
  /** Throws `round_missing` for text on a socket that never had a `start`. */
  take(frame: ClientFrame, bytes: number): void;
  /** A frame was invalid: the open round ends, if there is one. */
  refuse(error: ApiError): void;
  /** The next task, when there is one. Undefined once closed. */
  next(): Promise<Task | undefined>;
  /**
   * The round of the newest task has ended. Where it failed before its `stop`, text is discarded up to `resume`: the
   * client sent it before it could know.
   */
  finished(failed: boolean): void;
  /** The client knows that its round has failed. Text from now on begins a new one. */
  resume(): void;
  /** Whether no round is being active and none waits. An open round that waits for its first text counts as one. */
  readonly isEmpty: boolean;
  /** Whether all that is left is an open round, and no text for it has arrived that was not taken. */
  readonly waitsForText: boolean;
  /** Ends every round. Resolves the waiting `next`. */
  close(reason: unknown): void;
  /** The size of what is queued, in characters or bytes. */
  readonly size: number;
}

/** The least that a task counts for in `size`. */
const TASK_SIZE = 1024;

/** `onTaken` is called when `size` may have decreased. */
export function createRoundQueue(maxTextCharacters: number, onTaken: () => void): RoundQueue {
  const tasks: { readonly task: Task; readonly size: number }[] = [];
  /** The request of the latest `start`, for text that comes after its round has ended. */
  let lastStart: { readonly request: unknown } | undefined;
  /** The round that text goes to. */
  let open: Round | undefined;
  let active: Round | undefined;
  /** Text that arrives belongs to a round that has failed. */
  let isDiscarding = false;
  let closed = false;
  let wake = (): void => {};

  const add = (task: Task, bytes = 0): void => {
    tasks.push({ task, size: TASK_SIZE + bytes });
    wake();
  };
  const openRound = (request: unknown, { bytes = 0, isResumed = false }): Round => {
    open = createRound(request, onTaken, isResumed);
    add({ round: open }, bytes);
    return open;
  };
  const abortOpen = (reason: ApiError): void => {
    open?.controller.abort(reason);
    open?.input.close();
    open = undefined;
  };
  const refuse = (error: ApiError): void => {
    if (open === undefined) add({ refusal: error });
    else {
      abortOpen(error);
      isDiscarding = true;
    }
  };

  const takeText = (text: string): void => {
    if (text === "" || isDiscarding) return;
    if (lastStart === undefined) throw apiError("round_missing", { event: "text" });
    const length = countCharacters(text);
    if (length > maxTextCharacters) refuse(apiError("text_too_long", { length, limit: maxTextCharacters }));
    // Some clients send one `start` for the whole connection, and then only text and flush.
    else (open ?? openRound(lastStart.request, { isResumed: true })).input.push(text);
  };

  return {
    take(frame, bytes) {
      switch (frame.event) {
        case "start":
          abortOpen(apiError("round_replaced", {}));
          lastStart = { request: withoutText(frame.request) };
          isDiscarding = false;
          openRound(frame.request, { bytes });
          break;
        case "text":
          takeText(frame.text);
          break;
        case "flush":
          open?.input.flush();
          break;
        case "stop":
          open?.input.end();
          open = undefined;
          isDiscarding = false;
      }
    },
    refuse,
    async next() {
      while (tasks.length === 0 && !closed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const task = closed ? undefined : tasks.shift()?.task;
      active = task !== undefined && "round" in task ? task.round : undefined;
      onTaken();
      return task;
    },
    finished(failed) {
      if (open !== undefined && open === active) {
        open = undefined;
        isDiscarding = failed;
      }
      active?.input.close();
      active = undefined;
      onTaken();
    },
    resume() {
      isDiscarding = false;
    },
    get isEmpty() {
      return active === undefined && tasks.length === 0;
    },
    get waitsForText() {
      return open !== undefined && open === active && tasks.length === 0 && open.input.size === 0;
    },
    close(reason) {
      closed = true;
      for (const round of [open, active]) {
        round?.controller.abort(reason);
        round?.input.close();
      }
      open = undefined;
      tasks.length = 0;
      wake();
    },
    get size() {
      const inputs = [active, ...tasks.map(({ task }) => ("round" in task ? task.round : undefined))];
      return (
        tasks.reduce((sum, { size }) => sum + size, 0) +
        inputs.reduce((sum, round) => sum + (round?.input.size ?? 0), 0)
      );
    },
  };
}

/** The text of a `start` is active once, not again in each round that repeats its settings. */
function withoutText(request: unknown): unknown {
  return isRecord(request) ? { ...request, text: "" } : request;
}
