import { type Channel, createChannel } from "../../lib/channel.ts";
import { createWakeup, type Wakeup } from "../../lib/wakeup.ts";
import type { JobReport } from "../job-report.ts";
import type { WorkTime } from "../messages.ts";
import type { FrameReader, FrameWriter } from "./frames.ts";
import type { Machine } from "./machines.ts";

/** What to do when every machine refuses a job: wait for room, refuse it, or make one of them take it. */
export type WhenBusy = "wait" | "refuse" | "force";

export interface RemoteRun {
  readonly whenBusy: WhenBusy;
  /** Parts that a machine may send before the first of them is taken. */
  readonly partsAhead?: number;
  /** Machines of versions before this one do not understand the job. */
  readonly version?: number | undefined;
  /** How long it waits while no machine does its kind of work. */
  readonly noMachineMs?: number | undefined;
  /**
   * Whether it stays on a machine that is silent, until that one counts as lost: to start again would cost it more than to wait.
   * Otherwise a job without output starts again elsewhere as soon as its machine is suspect.
   */
  readonly keepUntilLost?: true | undefined;
  /** Bytes that the job reads; opened again for each try. */
  readonly input?: (() => AsyncIterable<Uint8Array>) | undefined;
}

/** The one try of a job that is under way. */
export interface Attempt {
  readonly id: number;
  readonly machine: Machine<RemoteTask>;
  readonly writer: FrameWriter;
  readonly reader: FrameReader;
  /** Parts that the machine may send now. */
  credit: number;
  /** Inputs that the machine can take now. */
  wanted: number;
  readonly wantsInput: Wakeup;
  readonly ended: AbortController;
}

/** A job that this node has given to a machine, or will. */
export interface RemoteTask {
  readonly kind: string;
  readonly job: unknown;
  readonly options: RemoteRun;
  readonly parts: Channel<unknown>;
  /** Machines that have refused it since their last report. */
  readonly refusedBy: Set<string>;
  attempt: Attempt | undefined;
  hasOutput: boolean;
  tries: number;
  /** Machines that were lost with it. */
  losses: number;
  /** Since when no machine has it. */
  waitingSince: number;
  work: WorkTime | undefined;
  busyMs: number;
  pid: number | undefined;
  machine: string | undefined;
  outcome: JobReport["outcome"];
}

export interface TaskHooks {
  onTaken(task: RemoteTask): void;
  onClosed(task: RemoteTask): void;
}

export function createTask(kind: string, job: unknown, options: RemoteRun, hooks: TaskHooks): RemoteTask {
  const task: RemoteTask = {
    kind,
    job,
    options,
    parts: createChannel(
      () => hooks.onTaken(task),
      () => hooks.onClosed(task),
    ),
    refusedBy: new Set(),
    attempt: undefined,
    hasOutput: false,
    tries: 0,
    losses: 0,
    waitingSince: performance.now(),
    work: undefined,
    busyMs: 0,
    pid: undefined,
    machine: undefined,
    outcome: "left",
  };
  return task;
}

/** Sends the input of an attempt, as fast as the machine takes it. An empty input is the end. */
export async function sendInput({ options }: RemoteTask, attempt: Attempt): Promise<void> {
  const { signal } = attempt.ended;
  for await (const bytes of options.input?.() ?? []) {
    while (attempt.wanted === 0 && !signal.aborted) await attempt.wantsInput.wait(signal);
    if (signal.aborted) return;
    attempt.wanted--;
    attempt.writer.write("input", bytes);
  }
  if (!signal.aborted) attempt.writer.write("input");
}

export function newInputState(): Pick<Attempt, "wanted" | "wantsInput" | "ended"> {
  return { wanted: 0, wantsInput: createWakeup(), ended: new AbortController() };
}
