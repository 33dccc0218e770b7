import { SpeechError } from "../errors.ts";
import { type Channel, createChannel } from "../lib/channel.ts";
import type { RuntimeOptions } from "../lib/child-process.ts";
import { errorMessage } from "../lib/errors.ts";
import { chooseWorker, type JobClass, positionOf } from "./dispatch.ts";
import { createJobClock, type JobReport, type OnJobEnd } from "./job-report.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { createWatchdog, type WatchdogTimes, type WatchedWorker } from "./watchdog.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

/** Parts that a worker may make before the first of them is taken. */
const PARTS_AHEAD = 2;
/** A job whose worker was lost this many times is not tried again. */
const MAX_TRIES = 3;
/** A background job that has made room for live ones this many times is finished first. */
const MAX_INTERRUPTIONS = 3;
/** Delays before a worker that exits right after its start is started again. */
const RESTART_DELAYS_MS = [0, 500, 1_000, 2_000, 5_000, 15_000];

/** Worker processes of one kind. A job goes to one of them and returns one or more parts. */
export interface WorkerPool<Job, Part, Ready> {
  /** Resolves with what the first ready worker reports; rejects when the worker cannot be loaded. */
  readonly ready: Promise<Ready>;
  /** `onEnd` is called once, however the job ends. */
  run(job: Job, signal: AbortSignal, onEnd?: OnJobEnd): AsyncIterable<Part>;
  /** Keeps one worker free of background jobs, if there are several, until the function that it returns is called. */
  reserve(): () => void;
  /** The processes that are ready. */
  pids(): number[];
  /** Jobs without any part yet. */
  queued(): number;
  close(): Promise<void>;
}

export interface WorkerPoolOptions<Spec, Job = unknown> {
  /** The module that a worker process runs. It exchanges the messages of `messages.ts`. */
  readonly entry: URL;
  /** The name in error messages: "the recogniser". */
  readonly name: string;
  /** What each worker loads. */
  readonly spec: Spec;
  readonly runtime?: RuntimeOptions;
  readonly size: number;
  /** Jobs that a worker has at a time; the others wait for any worker to be free. No limit by default. */
  readonly jobsPerWorker?: number;
  /** All jobs are in the background by default. */
  readonly classOf?: (job: Job) => JobClass;
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
  readonly watchdog?: Partial<WatchdogTimes> | undefined;
}

interface Task<Job, Part> {
  readonly id: number;
  readonly job: Job;
  readonly class: JobClass;
  readonly parts: Channel<Part>;
  worker: Worker<Job, Part> | undefined;
  /** Parts that the worker has credit for and has not sent yet. */
  pendingParts: number;
  hasOutput: boolean;
  tries: number;
  interruptions: number;
  pid: number | undefined;
  outcome: JobReport["outcome"];
  readonly clock: ReturnType<typeof createJobClock>;
}

interface Worker<Job, Part> extends WatchedWorker {
  readonly process: WorkerProcess;
  readonly tasks: Set<Task<Job, Part>>;
  ready: boolean;
  /** Why the watchdog ended it. */
  killReason: string | undefined;
}

export function createWorkerPool<Spec, Job, Part, Ready>(
  options: WorkerPoolOptions<Spec, Job>,
): WorkerPool<Job, Part, Ready> {
  const { name, spec, jobsPerWorker = Number.POSITIVE_INFINITY, classOf = () => "background" as const } = options;
  const workers = new Set<Worker<Job, Part>>();
  const tasks = new Map<number, Task<Job, Part>>();
  let waiting: Task<Job, Part>[] = [];
  let nextId = 1;
  let reservations = 0;
  let failedStarts = 0;
  let closing: (() => void) | undefined;
  let settleReady: { resolve(about: Ready): void; reject(error: Error): void } | undefined;
  const ready = new Promise<Ready>((resolve, reject) => {
    settleReady = { resolve, reject };
  });
  // Callers that await it get the error; without any, it must not be unhandled.
  ready.catch(() => {});

  const watchdog = createWatchdog(workers, options.watchdog);

  function send(worker: Worker<Job, Part> | undefined, message: ToWorker<Spec, Job>): void {
    worker?.process.send(message);
  }

  function addWorker(): void {
    const worker: Worker<Job, Part> = {
      process: startWorker(
        options.entry,
        (message) => receive(worker, message as FromWorker<Part, Ready>),
        (reason) => onWorkerExit(worker, reason),
        options.runtime,
      ),
      tasks: new Set(),
      ready: false,
      killReason: undefined,
      lastMessageAt: performance.now(),
      pingedAt: undefined,
      get isBusy() {
        return !worker.ready || [...worker.tasks].some((task) => task.pendingParts > 0);
      },
      ping: () => send(worker, { type: "ping" }),
      kill(reason) {
        worker.killReason = reason;
        worker.process.kill();
      },
    };
    workers.add(worker);
    send(worker, { type: "load", spec });
  }

  function receive(worker: Worker<Job, Part>, message: FromWorker<Part, Ready>): void {
    worker.lastMessageAt = performance.now();
    worker.pingedAt = undefined;
    if (message.type === "ready") {
      worker.ready = true;
      failedStarts = 0;
      settleReady?.resolve(message.about);
      dispatch();
      return;
    }
    if (message.type === "unloadable") {
      cannotLoad(message.message);
      worker.process.kill();
      return;
    }
    if (message.type === "alive") {
      // A job may wait that was not given to it while it was suspect.
      dispatch();
      return;
    }
    const task = tasks.get(message.id);
    if (task?.worker !== worker) return;
    if (message.type !== "error") task.clock.add(message.work);
    if (message.type === "part") {
      task.hasOutput = true;
      task.pendingParts--;
      task.parts.push(message.part);
      return;
    }
    remove(task);
    if (message.type === "end") {
      task.outcome = "done";
      task.parts.end();
    } else fail(task, new SpeechError("failed", `${name} failed: ${message.message}`));
    dispatch();
  }

  function onWorkerExit(worker: Worker<Job, Part>, end: string): void {
    const reason = worker.killReason ?? end;
    workers.delete(worker);
    if (closing) {
      if (workers.size === 0) closing();
      return;
    }
    if (!worker.ready) failedStarts++;
    options.onWorkerLost?.(reason);
    for (const task of worker.tasks) retry(task, reason);
    startAnother();
    dispatch();
  }

  function startAnother(): void {
    const delay = RESTART_DELAYS_MS[Math.min(failedStarts, RESTART_DELAYS_MS.length - 1)] ?? 0;
    const restart = setTimeout(() => {
      if (closing) return;
      try {
        addWorker();
      } catch (error) {
        // The system may refuse another process, such as for want of memory.
        failedStarts++;
        options.onWorkerLost?.(errorMessage(error));
        startAnother();
      }
    }, delay);
    // Without jobs, the restart does not keep this process from exiting.
    if (tasks.size === 0) restart.unref();
  }

  /** A job without any output yet starts again on another worker. One with output cannot. */
  function retry(task: Task<Job, Part>, reason: string): void {
    task.worker = undefined;
    if (!task.hasOutput && task.tries < MAX_TRIES) enqueue(task, true);
    else {
      remove(task);
      fail(task, new SpeechError("failed", `a worker of ${name} is gone: ${reason}`));
    }
  }

  function cannotLoad(reason: string): void {
    const error = new SpeechError("failed", `${name} cannot be loaded: ${reason}`);
    settleReady?.reject(error);
    if ([...workers].some((worker) => worker.ready)) return;
    for (const task of waiting) {
      remove(task);
      fail(task, error);
    }
    waiting = [];
  }

  function enqueue(task: Task<Job, Part>, isRetry = false): void {
    const at = positionOf(
      waiting.map((each) => each.class),
      task.class,
      isRetry,
    );
    waiting.splice(at, 0, task);
  }

  function dispatch(): void {
    for (const task of [...waiting]) {
      const worker = workerFor(task);
      // A job that comes later is in the same class or a less urgent one, so it would have to wait, too.
      if (!worker) return;
      waiting = waiting.filter((other) => other !== task);
      start(task, worker);
    }
  }

  function workerFor({ class: wanted }: Task<Job, Part>): Worker<Job, Part> | undefined {
    const candidates = [...workers]
      .filter((each) => each.ready && each.killReason === undefined)
      .map((worker) => ({
        worker,
        isSuspect: watchdog.isSuspect(worker),
        isUnanswered: worker.pingedAt !== undefined,
        jobs: [...worker.tasks].map((task) => task.class),
      }));
    const backgroundWorkers = reservations > 0 ? Math.max(1, workers.size - 1) : workers.size;
    const found = chooseWorker(candidates, wanted, { jobsPerWorker, backgroundWorkers })?.worker;
    return found ?? (wanted === "live" ? interrupt() : undefined);
  }

  /** Takes a worker from a background job, which starts again as soon as another one is free. */
  function interrupt(): Worker<Job, Part> | undefined {
    const [task] = [...tasks.values()]
      .filter((each) => each.class === "background" && each.worker && !each.hasOutput)
      .filter((each) => each.interruptions < MAX_INTERRUPTIONS)
      .sort((a, b) => b.id - a.id);
    const worker = task?.worker;
    if (!task || !worker) return undefined;
    worker.tasks.delete(task);
    send(worker, { type: "cancel", id: task.id });
    task.worker = undefined;
    task.tries--;
    task.interruptions++;
    enqueue(task, true);
    return worker;
  }

  function start(task: Task<Job, Part>, worker: Worker<Job, Part>): void {
    task.worker = worker;
    task.pid = worker.process.pid;
    task.tries++;
    task.pendingParts = PARTS_AHEAD;
    // The time without a message counts from the moment that there is work.
    if (worker.tasks.size === 0) {
      worker.lastMessageAt = performance.now();
      watchdog.check(worker);
    }
    worker.tasks.add(task);
    const beside = task.class === "instant" ? ({ beside: true } as const) : {};
    const urgent = task.class === "background" ? {} : ({ urgent: true } as const);
    send(worker, { type: "start", id: task.id, job: task.job, credit: PARTS_AHEAD, ...beside, ...urgent });
  }

  function fail(task: Task<Job, Part>, error: SpeechError): void {
    task.outcome = "failed";
    task.parts.fail(error);
  }

  function remove(task: Task<Job, Part>): void {
    tasks.delete(task.id);
    task.worker?.tasks.delete(task);
  }

  function cancel(task: Task<Job, Part>): void {
    if (!tasks.has(task.id)) return;
    remove(task);
    waiting = waiting.filter((other) => other !== task);
    send(task.worker, { type: "cancel", id: task.id });
    // Its inference goes on for a while; until it answers, others are preferred.
    if (task.worker) watchdog.check(task.worker);
    dispatch();
  }

  async function end(): Promise<void> {
    watchdog.close();
    const exited = new Promise<void>((resolve) => {
      closing = resolve;
    });
    for (const task of tasks.values()) fail(task, new SpeechError("closed", "the service is shutting down"));
    for (const worker of workers) worker.process.kill();
    if (workers.size > 0) await exited;
  }

  // Whoever closes it again waits for the same.
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => {
    ended ??= end();
    return ended;
  };

  try {
    for (let count = 0; count < options.size; count++) addWorker();
  } catch (error) {
    // Nobody could close it.
    void close();
    throw error;
  }

  return {
    ready,

    async *run(job, signal, onEnd) {
      if (closing) throw new SpeechError("closed", "the service is shutting down");
      signal.throwIfAborted();
      const id = nextId++;
      const addCredit = () => {
        if (!tasks.has(id)) return;
        task.pendingParts++;
        send(task.worker, { type: "credit", id });
      };
      const task: Task<Job, Part> = {
        id,
        job,
        class: classOf(job),
        parts: createChannel(addCredit, () => cancel(task)),
        worker: undefined,
        pendingParts: 0,
        hasOutput: false,
        tries: 0,
        interruptions: 0,
        pid: undefined,
        outcome: "left",
        clock: createJobClock(),
      };
      const onAbort = () => {
        cancel(task);
        task.parts.fail(signal.reason);
      };
      tasks.set(id, task);
      enqueue(task);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        dispatch();
        yield* task.parts;
      } finally {
        signal.removeEventListener("abort", onAbort);
        const { pid, tries, outcome } = task;
        onEnd?.(task.clock.report({ pid, tries, outcome }));
      }
    },

    reserve() {
      reservations++;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        reservations--;
        dispatch();
      };
    },

    pids: () => [...workers].flatMap((worker) => (worker.ready && worker.process.pid ? [worker.process.pid] : [])),

    queued: () => [...tasks.values()].filter((task) => !task.hasOutput).length,

    close,
  };
}
