import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createWakeup } from "../../lib/wakeup.ts";
import {
  CAPACITY_SUBJECT,
  type CapacityReport,
  CHANGE_REPORT_MS,
  DEMAND_SUBJECT,
  machineSubject,
  nodeSubject,
  REPORT_EVERY_MS,
  readDemand,
} from "./capacity.ts";
import { pack } from "./codec.ts";
import { createFrameWriter, decodeFrame, WIRE_VERSION } from "./frames.ts";
import type { JobStart } from "./job-messages.ts";
import { createMachineJob, type MachineJob } from "./machine-job.ts";
import type { Service } from "./service.ts";
import type { Transport } from "./transport.ts";

/** The side of a worker machine: it offers its services to all api nodes. */
export interface Machine {
  /** Jobs that it has now. */
  readonly running: number;
  /** Takes no new streams, and resolves when those that it has have ended or the signal aborts. */
  drain(signal: AbortSignal): Promise<void>;
  /** Leaves: jobs that still run start again elsewhere, or end. */
  close(): Promise<void>;
}

export interface MachineOptions {
  /** What it offers now, by kind of work. */
  readonly services: () => ReadonlyMap<string, Service>;
  /** Its name for people; the host name by default. */
  readonly name?: string;
  /** Jobs of all kinds; a further one is refused. */
  readonly maxJobs?: number;
  /** Between two reports without a change; longer in tests. */
  readonly reportEveryMs?: number;
}

const MAX_JOBS = 1_024;
/** Of jobs that have not arrived as a whole. */
const MAX_UNREAD_BYTES = 256 * 2 ** 20;
/** The jobs of an api node that is silent for this long are given up. */
const NODE_LOST_MS = 10_000;
const NODES_CHECKED_EVERY_MS = 1_000;
/** The next chunk of a stream comes soon after the one before has ended, if no other machine takes it. */
const NEXT_CHUNK_MS = 1_000;

export function createMachine(transport: Transport, options: MachineOptions): Machine {
  const { services, name = hostname(), maxJobs = MAX_JOBS, reportEveryMs = REPORT_EVERY_MS } = options;
  const jobs = new Map<string, MachineJob>();
  /** When each node that has jobs here was last seen. */
  const nodes = new Map<string, number>();
  const budget = { left: MAX_UNREAD_BYTES };
  const changed = createWakeup();
  let id = newId();
  let draining = false;
  let lastEnd = Number.NEGATIVE_INFINITY;
  let closed = false;

  const count = (matches: (job: MachineJob) => boolean): number => [...jobs.values()].filter(matches).length;

  function accept({ kind, force }: JobStart): Service | undefined {
    const service = services().get(kind);
    if (!service || service.workers === 0 || (draining && !force)) return undefined;
    const starting = count((job) => job.kind === kind && job.isStarting);
    const running = count((job) => job.kind === kind);
    return force || (starting < service.maxStarting && running < service.maxRunning) ? service : undefined;
  }

  function receive(payload: Uint8Array, reply: string | undefined): void {
    const frame = decodeFrame(payload);
    if (!frame || reply === undefined) return;
    const key = `${reply} ${frame.job}`;
    let job = jobs.get(key);
    if (!job) {
      // Later frames of a job that has ended.
      if (frame.type !== "start" || frame.sequence !== 0) return;
      const send = (bytes: Uint8Array): void => transport.publish(reply, bytes);
      if (jobs.size >= maxJobs) {
        createFrameWriter(frame.job, send).write("busy");
        return;
      }
      nodes.set(reply, performance.now());
      job = createMachineJob({
        id: frame.job,
        node: reply,
        send,
        accept,
        budget,
        onEnd() {
          jobs.delete(key);
          if (count(({ node }) => node === reply) === 0) nodes.delete(reply);
          lastEnd = performance.now();
          changed.notify();
          reportChange();
        },
      });
      jobs.set(key, job);
      reportChange();
    }
    job.receive(frame);
  }

  let reportedAt = Number.NEGATIVE_INFINITY;
  let changeReport: NodeJS.Timeout | undefined;
  function reportChange(): void {
    if (closed) return;
    const waitMs = Math.max(0, reportedAt + CHANGE_REPORT_MS - performance.now());
    changeReport ??= setTimeout(() => report(), waitMs).unref();
  }

  function report(left = false): void {
    clearTimeout(changeReport);
    changeReport = undefined;
    reportedAt = performance.now();
    const offered = [...services()].map(([kind, { workers, cost, about }]) => {
      return [kind, { workers, cost, about, running: count((job) => job.kind === kind) }] as const;
    });
    const body: CapacityReport = {
      version: WIRE_VERSION,
      id,
      machine: name,
      draining,
      left,
      services: Object.fromEntries(offered),
    };
    transport.publish(CAPACITY_SUBJECT, pack(body));
  }

  function abortJobs(matches: (job: MachineJob) => boolean): void {
    for (const job of [...jobs.values()]) if (matches(job)) job.abort();
  }

  function forgetSilentNodes(): void {
    for (const [node, at] of nodes) {
      if (performance.now() - at < NODE_LOST_MS) continue;
      nodes.delete(node);
      abortJobs((job) => job.node === node);
    }
  }

  const inbox = () => transport.subscribe(machineSubject(id), receive);
  let leaveInbox = inbox();
  transport.subscribe(DEMAND_SUBJECT, (payload) => {
    const demand = readDemand(payload);
    if (demand && nodes.has(nodeSubject(demand.id))) nodes.set(nodeSubject(demand.id), performance.now());
  });
  transport.onChange((connected) => {
    // Messages were lost. Jobs that nobody can finish are given up, under the old name.
    abortJobs(() => true);
    if (!connected || closed) return;
    report(true);
    leaveInbox();
    id = newId();
    leaveInbox = inbox();
    report();
  });
  const timers = [
    setInterval(() => report(), reportEveryMs),
    setInterval(forgetSilentNodes, NODES_CHECKED_EVERY_MS).unref(),
  ];
  report();

  return {
    get running() {
      return jobs.size;
    },
    async drain(signal) {
      draining = true;
      report();
      const waitMs = (): number => lastEnd + NEXT_CHUNK_MS - performance.now();
      while (!signal.aborted && (jobs.size > 0 || waitMs() > 0)) {
        if (jobs.size > 0) await changed.wait(signal);
        else await sleep(waitMs(), undefined, { signal }).catch(() => {});
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      draining = true;
      for (const timer of timers) clearInterval(timer);
      report(true);
      abortJobs(() => true);
      leaveInbox();
      await transport.close();
    },
  };
}

function newId(): string {
  return randomBytes(8).toString("hex");
}
