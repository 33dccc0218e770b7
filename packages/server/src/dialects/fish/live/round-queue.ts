import { type ApiError, apiError, type ClientFrame, countCharacters } from "@parlance/protocol";
import { createRound, type Round } from "./round.ts";

/** One step of a socket: speak a round, or send an error. */
export type Task = { readonly round: Round } | { readonly refusal: ApiError };

/** Turns the frames of a client, in any order, into tasks. Independent of the socket. */
export interface RoundQueue {
  take(frame: ClientFrame, bytes: number): void;
  /** For an invalid frame: ends the open round, if there is one. */
  refuse(error: ApiError): void;
  /** Waits for the next task. Undefined once closed. */
  next(): Promise<Task | undefined>;
  /** The round of the latest task has ended. */
  finished(): void;
  /** Whether no task is active or queued. */
  readonly isIdle: boolean;
  /** Whether the active round still accepts text. */
  readonly waitsForText: boolean;
  /** Aborts all rounds and resolves a waiting `next`. */
  close(reason: unknown): void;
  /** The size of what is queued, in characters or bytes. */
  readonly size: number;
}

/** The minimum size of a queued task. */
const TASK_SIZE = 1024;

/** `onTaken` is called when the size may have become smaller. */
export function createRoundQueue(maxTextCharacters: number, onTaken: () => void): RoundQueue {
  const tasks: { readonly task: Task; readonly size: number }[] = [];
  /** The round that text goes to. */
  let open: Round | undefined;
  let active: Round | undefined;
  /** The round of this text was refused or has failed: one error is enough for all of its frames. */
  let ignoring = false;
  let closed = false;
  let wake = (): void => {};

  const add = (task: Task, bytes = 0): void => {
    tasks.push({ task, size: TASK_SIZE + bytes });
    wake();
  };
  const abortOpen = (reason: ApiError): void => {
    open?.controller.abort(reason);
    open?.input.close();
    open = undefined;
  };
  const refuse = (error: ApiError): void => {
    if (open !== undefined) abortOpen(error);
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
          abortOpen(apiError("round_replaced", {}));
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
      active = task !== undefined && "round" in task ? task.round : undefined;
      onTaken();
      return task;
    },
    finished() {
      // The rest of a round that failed is still on its way here.
      if (open !== undefined && open === active) [open, ignoring] = [undefined, true];
      active?.input.close();
      active = undefined;
      onTaken();
    },
    get isIdle() {
      return active === undefined && tasks.length === 0;
    },
    get waitsForText() {
      return open !== undefined && open === active;
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
