import type { SpeechWindow } from "../engines/engine.ts";
import type { EngineSpec } from "../engines/load.ts";
import { SpeechError } from "../speech.ts";
import { type Channel, createChannel } from "./channel.ts";
import type { FromWorker, SpeechJob } from "./messages.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

/** Windows that a worker may make before the first of them is taken. */
const WINDOWS_AHEAD = 2;
/** A chunk that has taken this many workers down with it is not tried again. */
const MOST_TRIES = 3;
/** No single window takes this long: a worker that is silent so long is stuck. */
const STUCK_AFTER_MS = 60_000;
/** A worker that dies as soon as it starts is started again ever more slowly. */
const RESTART_DELAYS_MS = [0, 500, 1_000, 2_000, 5_000, 15_000];

/** The worker processes of one engine. */
export interface Pool {
  /** Resolves with the engine's sample rate when the first worker can speak; rejects when the engine cannot be loaded. */
  readonly ready: Promise<number>;
  synthesize(job: SpeechJob, signal: AbortSignal): AsyncIterable<SpeechWindow>;
  /** The processes that can speak now. */
  pids(): number[];
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly size: number;
  readonly onWorkerLost?: (reason: string) => void;
}

interface Task {
  readonly id: number;
  readonly job: SpeechJob;
  readonly windows: Channel<SpeechWindow>;
  worker: Worker | undefined;
  /** Windows that were asked for and have not come yet. */
  owed: number;
  hasSpoken: boolean;
  tries: number;
}

interface Worker {
  readonly process: WorkerProcess;
  readonly tasks: Set<Task>;
  ready: boolean;
  lastHeard: number;
}

export function createPool(spec: EngineSpec, options: PoolOptions): Pool {
  const workers = new Set<Worker>();
  const tasks = new Map<number, Task>();
  let waiting: Task[] = [];
  let nextId = 1;
  let failedStarts = 0;
  let closing: (() => void) | undefined;
  let settleReady: { resolve(sampleRate: number): void; reject(error: Error): void } | undefined;
  const ready = new Promise<number>((resolve, reject) => {
    settleReady = { resolve, reject };
  });
  // Whoever waits for it hears of a failure; nobody has to.
  ready.catch(() => {});

  const watchdog = setInterval(() => {
    for (const worker of workers) {
      const busy = !worker.ready || [...worker.tasks].some((task) => task.owed > 0);
      if (busy && performance.now() - worker.lastHeard > STUCK_AFTER_MS) worker.process.kill();
    }
  }, 5_000).unref();

  function addWorker(): void {
    const worker: Worker = {
      process: startWorker(
        (message) => receive(worker, message),
        (reason) => lose(worker, reason),
      ),
      tasks: new Set(),
      ready: false,
      lastHeard: performance.now(),
    };
    workers.add(worker);
    worker.process.send({ type: "load", spec });
  }

  function receive(worker: Worker, message: FromWorker): void {
    worker.lastHeard = performance.now();
    if (message.type === "ready") {
      worker.ready = true;
      failedStarts = 0;
      settleReady?.resolve(message.sampleRate);
      dispatch();
      return;
    }
    if (message.type === "unloadable") {
      cannotLoad(message.message);
      worker.process.kill();
      return;
    }
    const task = tasks.get(message.id);
    if (task?.worker !== worker) return;
    if (message.type === "window") {
      task.hasSpoken = true;
      task.owed--;
      task.windows.push(message.window);
      return;
    }
    forget(task);
    if (message.type === "end") task.windows.end();
    else task.windows.fail(new SpeechError("failed", `the ${spec.engine} engine failed: ${message.message}`));
  }

  function lose(worker: Worker, reason: string): void {
    workers.delete(worker);
    if (closing) {
      if (workers.size === 0) closing();
      return;
    }
    if (!worker.ready) failedStarts++;
    options.onWorkerLost?.(reason);
    for (const task of worker.tasks) retry(task, reason);
    const delay = RESTART_DELAYS_MS[Math.min(failedStarts, RESTART_DELAYS_MS.length - 1)] ?? 0;
    setTimeout(() => {
      if (!closing) addWorker();
    }, delay).unref();
    dispatch();
  }

  /** A chunk of which nobody has heard anything starts over elsewhere, unheard. One that has begun cannot. */
  function retry(task: Task, reason: string): void {
    task.worker = undefined;
    if (!task.hasSpoken && task.tries < MOST_TRIES) waiting.unshift(task);
    else {
      forget(task);
      task.windows.fail(new SpeechError("failed", `the worker that was speaking is gone: ${reason}`));
    }
  }

  function cannotLoad(reason: string): void {
    const error = new SpeechError("failed", `the ${spec.engine} engine cannot be loaded: ${reason}`);
    settleReady?.reject(error);
    if ([...workers].some((worker) => worker.ready)) return;
    for (const task of waiting) {
      forget(task);
      task.windows.fail(error);
    }
    waiting = [];
  }

  function dispatch(): void {
    while (waiting.length > 0) {
      const idle = [...workers].filter((worker) => worker.ready).sort((a, b) => a.tasks.size - b.tasks.size)[0];
      if (!idle) return;
      const task = waiting.shift();
      if (!task) return;
      task.worker = idle;
      task.tries++;
      task.owed = WINDOWS_AHEAD;
      // Silence counts from the moment that there is something to say.
      if (idle.tasks.size === 0) idle.lastHeard = performance.now();
      idle.tasks.add(task);
      idle.process.send({ type: "start", id: task.id, job: task.job, credit: WINDOWS_AHEAD });
    }
  }

  function forget(task: Task): void {
    tasks.delete(task.id);
    task.worker?.tasks.delete(task);
  }

  function abandon(task: Task): void {
    if (!tasks.has(task.id)) return;
    forget(task);
    waiting = waiting.filter((other) => other !== task);
    task.worker?.process.send({ type: "cancel", id: task.id });
  }

  for (let count = 0; count < options.size; count++) addWorker();

  return {
    ready,

    async *synthesize(job, signal) {
      if (closing) throw new SpeechError("closed", "the service is shutting down");
      signal.throwIfAborted();
      const id = nextId++;
      const askForMore = () => {
        if (!tasks.has(id)) return;
        task.owed++;
        task.worker?.process.send({ type: "credit", id });
      };
      const task: Task = {
        id,
        job,
        windows: createChannel(askForMore, () => abandon(task)),
        worker: undefined,
        owed: 0,
        hasSpoken: false,
        tries: 0,
      };
      const onAbort = () => {
        abandon(task);
        task.windows.fail(signal.reason);
      };
      tasks.set(id, task);
      waiting.push(task);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        dispatch();
        yield* task.windows;
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },

    pids: () => [...workers].flatMap((worker) => (worker.ready && worker.process.pid ? [worker.process.pid] : [])),

    async close() {
      clearInterval(watchdog);
      const gone = new Promise<void>((resolve) => {
        closing = resolve;
      });
      for (const task of tasks.values()) task.windows.fail(new SpeechError("closed", "the service is shutting down"));
      for (const worker of workers) worker.process.kill();
      if (workers.size > 0) await gone;
    },
  };
}
