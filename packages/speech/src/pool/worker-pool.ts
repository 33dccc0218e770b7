import { SpeechError } from "../speech.ts";
import { type Channel, createChannel } from "./channel.ts";
import { createJobClock, type JobReport, type OnJobOver } from "./job-report.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { createWatchdog, type Watched, type WatchTimes } from "./watchdog.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

/** Parts that a worker may make before the first of them is taken. */
const PARTS_AHEAD = 2;
/** A job that has taken this many workers down with it is not tried again. */
const MOST_TRIES = 3;
/** A worker that dies as soon as it starts is started again ever more slowly. */
const RESTART_DELAYS_MS = [0, 500, 1_000, 2_000, 5_000, 15_000];

/** Worker processes of one kind. A job goes to one of them and comes back as one part or many. */
export interface WorkerPool<Job, Part, Ready> {
  /** Resolves with what the first worker that can work says of itself; rejects when none can be loaded. */
  readonly ready: Promise<Ready>;
  /** `onOver` is told once, at the end, however it came. */
  run(job: Job, signal: AbortSignal, onOver?: OnJobOver): AsyncIterable<Part>;
  /** The processes that can work now. */
  pids(): number[];
  /** Jobs of which nothing was made yet. */
  waiting(): number;
  close(): Promise<void>;
}

export interface WorkerPoolOptions<Spec> {
  /** The module that a worker process runs, beside which it speaks `messages.ts`. */
  readonly entry: URL;
  /** What messages call it: "the piper engine". */
  readonly name: string;
  /** What each worker is to load. */
  readonly spec: Spec;
  readonly size: number;
  /** Jobs that a worker has in hand at a time; the others wait for any worker to be free. Unbounded by default. */
  readonly jobsPerWorker?: number;
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
  /** Shorter than usual in tests. */
  readonly watch?: Partial<WatchTimes> | undefined;
}

interface Task<Job, Part> {
  readonly id: number;
  readonly job: Job;
  readonly parts: Channel<Part>;
  worker: Worker<Job, Part> | undefined;
  /** Parts that were asked for and have not come yet. */
  owed: number;
  hasGiven: boolean;
  tries: number;
  pid: number | undefined;
  outcome: JobReport["outcome"];
  readonly clock: ReturnType<typeof createJobClock>;
}

interface Worker<Job, Part> extends Watched {
  readonly process: WorkerProcess;
  readonly tasks: Set<Task<Job, Part>>;
  ready: boolean;
  /** Why it was ended, if it was. */
  doom: string | undefined;
}

export function createWorkerPool<Spec, Job, Part, Ready>(
  options: WorkerPoolOptions<Spec>,
): WorkerPool<Job, Part, Ready> {
  const { name, spec, jobsPerWorker = Number.POSITIVE_INFINITY } = options;
  const workers = new Set<Worker<Job, Part>>();
  const tasks = new Map<number, Task<Job, Part>>();
  let waiting: Task<Job, Part>[] = [];
  let nextId = 1;
  let failedStarts = 0;
  let closing: (() => void) | undefined;
  let settleReady: { resolve(about: Ready): void; reject(error: Error): void } | undefined;
  const ready = new Promise<Ready>((resolve, reject) => {
    settleReady = { resolve, reject };
  });
  // Whoever waits for it hears of a failure; nobody has to.
  ready.catch(() => {});

  const watchdog = createWatchdog(workers, options.watch);

  function send(worker: Worker<Job, Part> | undefined, message: ToWorker<Spec, Job>): void {
    worker?.process.send(message);
  }

  function addWorker(): void {
    const worker: Worker<Job, Part> = {
      process: startWorker(
        options.entry,
        (message) => receive(worker, message as FromWorker<Part, Ready>),
        (reason) => lose(worker, reason),
      ),
      tasks: new Set(),
      ready: false,
      doom: undefined,
      lastHeard: performance.now(),
      pingedAt: undefined,
      get isBusy() {
        return !worker.ready || [...worker.tasks].some((task) => task.owed > 0);
      },
      ping: () => send(worker, { type: "ping" }),
      kill(reason) {
        worker.doom = reason;
        worker.process.kill();
      },
    };
    workers.add(worker);
    send(worker, { type: "load", spec });
  }

  function receive(worker: Worker<Job, Part>, message: FromWorker<Part, Ready>): void {
    worker.lastHeard = performance.now();
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
      // Something may wait that was not given to it while it was in doubt.
      dispatch();
      return;
    }
    const task = tasks.get(message.id);
    if (task?.worker !== worker) return;
    if (message.type !== "error") task.clock.add(message.work);
    if (message.type === "part") {
      task.hasGiven = true;
      task.owed--;
      task.parts.push(message.part);
      return;
    }
    forget(task);
    if (message.type === "end") {
      task.outcome = "done";
      task.parts.end();
    } else fail(task, new SpeechError("failed", `${name} failed: ${message.message}`));
    dispatch();
  }

  function lose(worker: Worker<Job, Part>, end: string): void {
    const reason = worker.doom ?? end;
    workers.delete(worker);
    if (closing) {
      if (workers.size === 0) closing();
      return;
    }
    if (!worker.ready) failedStarts++;
    options.onWorkerLost?.(reason);
    for (const task of worker.tasks) retry(task, reason);
    const delay = RESTART_DELAYS_MS[Math.min(failedStarts, RESTART_DELAYS_MS.length - 1)] ?? 0;
    const restart = setTimeout(() => {
      if (!closing) addWorker();
    }, delay);
    // With nothing to do, a process that is about to end need not wait for it.
    if (tasks.size === 0) restart.unref();
    dispatch();
  }

  /** A job of which nobody has seen anything starts over elsewhere, unnoticed. One that has begun cannot. */
  function retry(task: Task<Job, Part>, reason: string): void {
    task.worker = undefined;
    if (!task.hasGiven && task.tries < MOST_TRIES) waiting.unshift(task);
    else {
      forget(task);
      fail(task, new SpeechError("failed", `a worker of ${name} is gone: ${reason}`));
    }
  }

  function cannotLoad(reason: string): void {
    const error = new SpeechError("failed", `${name} cannot be loaded: ${reason}`);
    settleReady?.reject(error);
    if ([...workers].some((worker) => worker.ready)) return;
    for (const task of waiting) {
      forget(task);
      fail(task, error);
    }
    waiting = [];
  }

  function dispatch(): void {
    while (waiting.length > 0) {
      const idle = [...workers]
        .filter((worker) => worker.ready && worker.doom === undefined)
        .sort((a, b) => doubt(a) - doubt(b) || a.tasks.size - b.tasks.size)[0];
      if (!idle || idle.tasks.size >= jobsPerWorker) return;
      const task = waiting.shift();
      if (!task) return;
      task.worker = idle;
      task.pid = idle.process.pid;
      task.tries++;
      task.owed = PARTS_AHEAD;
      // Silence counts from the moment that there is something to do.
      if (idle.tasks.size === 0) {
        idle.lastHeard = performance.now();
        watchdog.ask(idle);
      }
      idle.tasks.add(task);
      send(idle, { type: "start", id: task.id, job: task.job, credit: PARTS_AHEAD });
    }
  }

  function doubt(worker: Worker<Job, Part>): number {
    return watchdog.isDoubtful(worker) ? 1 : 0;
  }

  function fail(task: Task<Job, Part>, error: SpeechError): void {
    task.outcome = "failed";
    task.parts.fail(error);
  }

  function forget(task: Task<Job, Part>): void {
    tasks.delete(task.id);
    task.worker?.tasks.delete(task);
  }

  function abandon(task: Task<Job, Part>): void {
    if (!tasks.has(task.id)) return;
    forget(task);
    waiting = waiting.filter((other) => other !== task);
    send(task.worker, { type: "cancel", id: task.id });
    dispatch();
  }

  for (let count = 0; count < options.size; count++) addWorker();

  return {
    ready,

    async *run(job, signal, onOver) {
      if (closing) throw new SpeechError("closed", "the service is shutting down");
      signal.throwIfAborted();
      const id = nextId++;
      const askForMore = () => {
        if (!tasks.has(id)) return;
        task.owed++;
        send(task.worker, { type: "credit", id });
      };
      const task: Task<Job, Part> = {
        id,
        job,
        parts: createChannel(askForMore, () => abandon(task)),
        worker: undefined,
        owed: 0,
        hasGiven: false,
        tries: 0,
        pid: undefined,
        outcome: "left",
        clock: createJobClock(),
      };
      const onAbort = () => {
        abandon(task);
        task.parts.fail(signal.reason);
      };
      tasks.set(id, task);
      waiting.push(task);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        dispatch();
        yield* task.parts;
      } finally {
        signal.removeEventListener("abort", onAbort);
        const { pid, tries, outcome } = task;
        onOver?.(task.clock.report({ pid, tries, outcome }));
      }
    },

    pids: () => [...workers].flatMap((worker) => (worker.ready && worker.process.pid ? [worker.process.pid] : [])),

    waiting: () => [...tasks.values()].filter((task) => !task.hasGiven).length,

    async close() {
      watchdog.close();
      const gone = new Promise<void>((resolve) => {
        closing = resolve;
      });
      for (const task of tasks.values()) fail(task, new SpeechError("closed", "the service is shutting down"));
      for (const worker of workers) worker.process.kill();
      if (workers.size > 0) await gone;
    },
  };
}
