import { type ApiError, apiError, type ClientFrame, countCharacters } from "@parlance/protocol";
import { createRound, type Round } from "./round.ts";

/** What is to be done on a socket, one after the other: speak a round, or say that something was wrong. */
export type Task = { readonly round: Round } | { readonly refusal: ApiError };

/** What the frames of a caller mean, in whatever order they come. Knows nothing of sockets. */
export interface RoundQueue {
  take(frame: ClientFrame, bytes: number): void;
  /** The frame that came is wrong: it ends the open round, if there is one. */
  refuse(error: ApiError): void;
  /** The next thing to do, when there is one. Undefined once closed. */
  next(): Promise<Task | undefined>;
  /** The round of the newest task is over. */
  finished(): void;
  /** Whether there is nothing to do. */
  readonly isIdle: boolean;
  /** Whether the round that is being spoken still takes text. */
  readonly waitsForText: boolean;
  /** Resolves the waiting `next`, so that its caller can look whether it should still wait. */
  close(reason: unknown): void;
  /** How much waits to be spoken, in characters or bytes. */
  readonly weight: number;
}

/** What waits for its turn counts for this much at least. */
const TASK_WEIGHT = 1024;

/** `onTaken` is told when there may be less that waits. */
export function createRoundQueue(maxTextCharacters: number, onTaken: () => void): RoundQueue {
  const tasks: { readonly task: Task; readonly weight: number }[] = [];
  /** The round that text goes to. */
  let open: Round | undefined;
  let spoken: Round | undefined;
  /** The round of this text was refused or has failed: one answer is enough for all of its frames. */
  let ignoring = false;
  let closed = false;
  let wake = (): void => {};

  const add = (task: Task, bytes = 0): void => {
    tasks.push({ task, weight: TASK_WEIGHT + bytes });
    wake();
  };
  const cutOpen = (reason: ApiError): void => {
    open?.controller.abort(reason);
    open?.input.close();
    open = undefined;
  };
  const refuse = (error: ApiError): void => {
    if (open !== undefined) cutOpen(error);
    else if (!ignoring) add({ refusal: error });
    ignoring = true;
  };

  const takeText = (text: string): void => {
    if (text === "") return;
    const length = countCharacters(text);
    if (open === undefined) refuse(apiError("round_missing", {}));
    else if (length > maxTextCharacters) refuse(apiError("text_too_long", { length, limit: maxTextCharacters }));
    else open.input.push(text);
  };

  return {
    take(frame, bytes) {
      switch (frame.event) {
        case "start":
          cutOpen(apiError("round_replaced", {}));
          ignoring = false;
          open = createRound(frame.request, onTaken);
          add({ round: open }, bytes);
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
          // Text that follows belongs to no round, whatever became of this one.
          ignoring = false;
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
      spoken = task !== undefined && "round" in task ? task.round : undefined;
      onTaken();
      return task;
    },
    finished() {
      // The rest of a round that failed is still on its way here.
      if (open !== undefined && open === spoken) [open, ignoring] = [undefined, true];
      spoken?.input.close();
      spoken = undefined;
      onTaken();
    },
    get isIdle() {
      return spoken === undefined && tasks.length === 0;
    },
    get waitsForText() {
      return open !== undefined && open === spoken;
    },
    close(reason) {
      closed = true;
      for (const round of [open, spoken]) {
        round?.controller.abort(reason);
        round?.input.close();
      }
      open = undefined;
      tasks.length = 0;
      wake();
    },
    get weight() {
      const inputs = [spoken, ...tasks.map(({ task }) => ("round" in task ? task.round : undefined))];
      return (
        tasks.reduce((sum, { weight }) => sum + weight, 0) +
        inputs.reduce((sum, round) => sum + (round?.input.weight ?? 0), 0)
      );
    },
  };
}
