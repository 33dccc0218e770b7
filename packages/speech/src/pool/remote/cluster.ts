import { randomBytes } from "node:crypto";
import { MachinesLostError, SpeechError } from "../../errors.ts";
import { monotonicTime } from "../../lib/tracing.ts";
import type { StreamNeed } from "../admission/schedulability.ts";
import type { OnJobEnd } from "../job-report.ts";
import {
  ACCEPTED_SUBJECT,
  CAPACITY_SUBJECT,
  DEMAND_SUBJECT,
  machineSubject,
  nodeSubject,
  REPORT_EVERY_MS,
  readCapacity,
  readDemand,
  type ServiceInfo,
} from "./capacity.ts";
import { isCount } from "./checked-values.ts";
import { pack, unpack } from "./codec.ts";
import { createOtherDemand, packNeeds } from "./demand.ts";
import { createFrameReader, createFrameWriter, decodeFrame, type Frame, WIRE_VERSION } from "./frames.ts";
import { type JobStart, readEnd } from "./job-messages.ts";
import { createMachines, type Machine } from "./machines.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { noMachine, onlyOlder } from "./refusals.ts";
import { createTask, newInputState, type RemoteRun, type RemoteTask, sendInput } from "./remote-task.ts";
import type { Transport } from "./transport.ts";
import { fromWireError, type WireError } from "./wire-error.ts";

/** The worker machines that an api node reaches. */
export interface Cluster {
  /** Runs a job on the machine with most room. `onEnd` is called once, however it ends. */
  run(kind: string, job: unknown, options: RemoteRun, signal: AbortSignal, onEnd?: OnJobEnd): AsyncGenerator<unknown>;
  /** Worker processes of all machines for a kind of work. */
  workers(kind: string): number;
  /** Jobs for each worker process of the machine with the fewest; infinite where no machine does this kind of work. */
  load(kind: string): number;
  /** How many machines take work now. */
  usable(): number;
  /** What is known of a kind of work; undefined while no machine has reported it. */
  info(kind: string): ServiceInfo | undefined;
  /** The names of the machines that are connected. */
  machines(): readonly string[];
  /** Jobs of a kind without any output yet. */
  queued(kind: string): number;
  /** Calls back after each change of what machines offer. */
  onChange(listener: () => void): () => void;
  /** Sets what other api nodes learn of the streams of this one. */
  shareNeeds(needs: () => readonly StreamNeed[]): void;
  /** Tells other api nodes of a stream that this one has accepted, before the next report does. */
  tellAccepted(need: StreamNeed): void;
  /** What the streams of other api nodes need. */
  otherNeeds(): readonly StreamNeed[];
  /** Between this node and the other api nodes. */
  readonly questions: Questions;
  close(): Promise<void>;
}

export interface ClusterOptions {
  readonly onMachineJoined?: ((machine: string) => void) | undefined;
  readonly onMachineLost?: ((machine: string, reason: string) => void) | undefined;
}

const DEFAULT_PARTS_AHEAD = 2;
/** A job whose machine was lost this many times is not tried again. */
const MAX_LOSSES = 3;
const CHECK_EVERY_MS = 100;
/** A job that finds no machine for this long is refused, unless it says otherwise. */
const NO_MACHINE_MS = 2_000;
/** The longest part; a window of speech is far below it. */
const MAX_PART_BYTES = 64 * 2 ** 20;
/** Inputs that a machine may ask for at a time; it asks for 8. */
const MAX_WANTED = 64;

export function createCluster(transport: Transport, options: ClusterOptions = {}): Cluster {
  const now = (): number => performance.now();
  // Counts only while this process runs: after it was stopped, the reports of the machines are still unread.
  let awakeMs = 0;
  const awake = (): number => awakeMs;
  const machines = createMachines<RemoteTask>(awake);
  const tasks = new Map<number, RemoteTask>();
  const listeners = new Set<() => void>();
  let waiting: RemoteTask[] = [];
  let nextId = 1;
  let node = newId();
  let closed = false;
  let needs: () => readonly StreamNeed[] = () => [];
  const demand = createOtherDemand(() => node, awake);

  function receiveReport(payload: Uint8Array): void {
    const report = readCapacity(payload);
    if (report === undefined) return;
    const isNew = !machines.has(report.id);
    if (report.left && isNew) return;
    const silent = isNew ? machines.replaceable() : undefined;
    if (silent) lose(silent, "it does not answer");
    const machine = machines.update(report);
    if (!machine) return;
    if (isNew) options.onMachineJoined?.(report.machine);
    if (report.left) lose(machine, "it has left");
    for (const task of waiting) task.refusedBy.delete(report.id);
    for (const listener of listeners) listener();
    dispatch();
  }

  function receiveFrame(payload: Uint8Array): void {
    const frame = decodeFrame(payload);
    const task = frame && tasks.get(frame.job);
    if (!frame || !task?.attempt) return;
    const body = task.attempt.reader.read(frame);
    if (body === "gap") {
      abandon(task, "messages were lost");
      dispatch();
    } else if (body !== undefined) {
      try {
        receive(task, frame, body);
      } catch (error) {
        fail(task, new SpeechError("failed", "a machine sent an answer that cannot be read", undefined, error));
      }
    }
  }

  function receive(task: RemoteTask, { type }: Frame, body: Uint8Array): void {
    switch (type) {
      case "part":
        if (!task.attempt || task.attempt.credit-- <= 0) throw new Error("a part that nobody has asked for");
        task.hasOutput = true;
        // Until the machine reports its own times with the end.
        task.work = { from: task.work?.from ?? monotonicTime(), to: monotonicTime() };
        task.parts.push(unpack(body));
        return;
      case "want":
        if (task.attempt) {
          const more = unpack(body);
          if (!isCount(MAX_WANTED, more)) throw new Error("a number of inputs that cannot be");
          task.attempt.wanted = Math.min(MAX_WANTED, task.attempt.wanted + more);
          task.attempt.wantsInput.notify();
        }
        return;
      case "busy":
        task.refusedBy.add(task.attempt?.machine.id ?? "");
        task.tries--;
        wait(task);
        break;
      case "end": {
        const { work, busyMs, pid } = readEnd(body);
        Object.assign(task, { work: work ?? task.work, busyMs, pid, outcome: "done" });
        detach(task);
        task.parts.end();
        break;
      }
      case "error": {
        const error = unpack(body) as WireError;
        // The machine has stopped before the job began.
        if (error.code === "closed" && !task.hasOutput) abandon(task, error.message);
        else fail(task, fromWireError(error));
        break;
      }
    }
    dispatch();
  }

  /** Ends the attempt. Frames of it that still arrive are ignored. */
  function detach(task: RemoteTask): void {
    const { attempt } = task;
    if (!attempt) return;
    task.attempt = undefined;
    tasks.delete(attempt.id);
    attempt.machine.jobs.delete(task);
    attempt.ended.abort();
  }

  function wait(task: RemoteTask): void {
    detach(task);
    task.waitingSince = now();
    waiting.unshift(task);
  }

  function fail(task: RemoteTask, error: Error): void {
    detach(task);
    waiting = waiting.filter((other) => other !== task);
    task.outcome = "failed";
    task.parts.fail(error);
  }

  /** Its machine does not have the job any more. Without output it starts again elsewhere. */
  function abandon(task: RemoteTask, reason: string): void {
    task.attempt?.writer.write("cancel");
    // A machine that was told to leave is not lost by its jobs, and gets none again, except for those that it must take.
    const isPlanned = task.attempt?.machine.report.draining === true && task.options.whenBusy !== "force";
    if (!isPlanned) task.losses++;
    if (!task.hasOutput && task.losses < MAX_LOSSES) {
      wait(task);
      return;
    }
    const message = `the machine ${task.machine} is gone: ${reason}`;
    fail(task, task.hasOutput ? new SpeechError("failed", message) : new MachinesLostError(message));
  }

  function lose(machine: Machine<RemoteTask>, reason: string): void {
    machines.remove(machine);
    options.onMachineLost?.(machine.report.machine, reason);
    for (const task of [...machine.jobs]) abandon(task, reason);
  }

  function dispatch(): void {
    const held: RemoteTask[] = [];
    for (let task = waiting.shift(); task; task = waiting.shift()) if (!place(task)) held.push(task);
    waiting = held;
  }

  /** Gives a job to a machine or refuses it. False when it has to wait. */
  function place(task: RemoteTask): boolean {
    if (!transport.connected) return false;
    const { whenBusy, version } = task.options;
    const offering = machines.offering(task.kind, version);
    const [best] = offering;
    if (best === undefined) {
      // A stream that was accepted ends where it is, if it cannot go on elsewhere.
      const [last] = whenBusy === "force" ? machines.draining(task.kind, version) : [];
      if (last) start(task, last, true);
      return last !== undefined;
    }
    const free = offering.find(({ id }) => !task.refusedBy.has(id));
    switch (whenBusy) {
      case "wait":
        // One job may wait on the machine itself, so that its workers are never idle.
        if (free === undefined || machines.room(free, task.kind) <= -1) return false;
        start(task, free, false);
        return true;
      case "force":
        start(task, free ?? best, free === undefined);
        return true;
      case "refuse":
        if (free) start(task, free, false);
        else fail(task, new SpeechError("overloaded", "no machine has room", 1));
        return true;
    }
  }

  function start(task: RemoteTask, machine: Machine<RemoteTask>, force: boolean): void {
    const id = nextId++;
    const send = (bytes: Uint8Array): void => transport.publish(machineSubject(machine.id), bytes, nodeSubject(node));
    const { partsAhead = DEFAULT_PARTS_AHEAD, input } = task.options;
    const attempt = {
      id,
      credit: partsAhead,
      machine,
      writer: createFrameWriter(id, send),
      reader: createFrameReader(MAX_PART_BYTES),
      ...newInputState(),
    };
    task.attempt = attempt;
    task.machine = machine.report.machine;
    task.tries++;
    tasks.set(id, task);
    machine.jobs.add(task);
    const { kind, job } = task;
    const body: JobStart = { kind, job, credit: partsAhead, force, hasInput: input !== undefined };
    attempt.writer.write("start", pack(body));
    if (input)
      sendInput(task, attempt).catch((error) => {
        if (task.attempt !== attempt) return;
        attempt.writer.write("cancel");
        fail(task, error instanceof Error ? error : new Error(String(error)));
      });
  }

  let checkedAt = now();
  function check(): void {
    awakeMs += Math.min(now() - checkedAt, 2 * CHECK_EVERY_MS);
    checkedAt = now();
    for (const machine of machines.all()) {
      if (machines.isLost(machine)) lose(machine, "it does not answer");
      else if (machines.isSuspect(machine)) {
        for (const task of [...machine.jobs])
          if (!task.hasOutput && task.options.keepUntilLost !== true) abandon(task, "it does not answer");
      }
    }
    dispatch();
    for (const task of [...waiting]) {
      const { noMachineMs = NO_MACHINE_MS, version } = task.options;
      if (machines.offering(task.kind, version).length > 0 || now() - task.waitingSince < noMachineMs) continue;
      fail(task, machines.offering(task.kind).length > 0 ? onlyOlder(task.kind) : noMachine(task.kind));
    }
  }

  const inbox = () => transport.subscribe(nodeSubject(node), receiveFrame);
  let leaveInbox = inbox();
  transport.subscribe(CAPACITY_SUBJECT, receiveReport);
  for (const [subject, receive] of [
    [DEMAND_SUBJECT, demand.update],
    [ACCEPTED_SUBJECT, demand.add],
  ] as const)
    transport.subscribe(subject, (payload) => {
      const report = readDemand(payload);
      if (report) receive(report);
    });
  transport.onChange((connected) => {
    if (!connected || closed) return;
    // Messages to this node may have been lost meanwhile. A new name makes every machine forget the old jobs.
    for (const task of [...tasks.values()]) abandon(task, "the connection was lost");
    leaveInbox();
    node = newId();
    leaveInbox = inbox();
    publishDemand();
    dispatch();
  });
  const publishNeeds = (subject: string, all: readonly StreamNeed[]): void =>
    transport.publish(subject, pack({ version: WIRE_VERSION, id: node, needs: packNeeds(all) }));
  const publishDemand = (): void => publishNeeds(DEMAND_SUBJECT, needs());
  const timers = [setInterval(check, CHECK_EVERY_MS).unref(), setInterval(publishDemand, REPORT_EVERY_MS).unref()];

  function cancel(task: RemoteTask): void {
    waiting = waiting.filter((other) => other !== task);
    if (!task.attempt) return;
    task.attempt.writer.write("cancel");
    detach(task);
    dispatch();
  }

  return {
    async *run(kind, job, runOptions, signal, onEnd) {
      if (closed) throw new SpeechError("closed", "the service is shutting down");
      signal.throwIfAborted();
      const queuedAt = monotonicTime();
      const task = createTask(kind, job, runOptions, {
        onTaken({ attempt }) {
          if (!attempt) return;
          attempt.credit++;
          attempt.writer.write("credit");
        },
        onClosed: cancel,
      });
      const onAbort = (): void => {
        cancel(task);
        task.parts.fail(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        waiting.push(task);
        dispatch();
        yield* task.parts;
      } finally {
        signal.removeEventListener("abort", onAbort);
        const { work, busyMs, pid, tries, outcome, machine } = task;
        onEnd?.({ queuedAt, work, busyMs, pid, tries, outcome, machine });
      }
    },
    workers: machines.workers,
    load: machines.load,
    usable: machines.usable,
    info: machines.info,
    machines: () => machines.all().map(({ report }) => report.machine),
    queued: (kind) => [...tasks.values(), ...waiting].filter((task) => task.kind === kind && !task.hasOutput).length,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    shareNeeds(share) {
      needs = share;
    },
    tellAccepted: (need) => publishNeeds(ACCEPTED_SUBJECT, [need]),
    otherNeeds: demand.needs,
    questions: createQuestions(transport),
    async close() {
      if (closed) return;
      closed = true;
      for (const timer of timers) clearInterval(timer);
      for (const task of [...tasks.values(), ...waiting]) {
        task.attempt?.writer.write("cancel");
        fail(task, new SpeechError("closed", "the service is shutting down"));
      }
      await transport.close();
    },
  };
}

function newId(): string {
  return randomBytes(8).toString("hex");
}
