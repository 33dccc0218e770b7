import { after, before, type TestContext } from "node:test";
import { type NatsServer, startNatsServer } from "../../../../tests/support/nats-server.ts";
import { until } from "../../../../tests/support/until.ts";
import type { JobReport } from "../pool/job-report.ts";
import { type Cluster, createCluster } from "../pool/remote/cluster.ts";
import { WIRE_VERSION } from "../pool/remote/frames.ts";
import { createMachine } from "../pool/remote/machine.ts";
import { createNatsTransport } from "../pool/remote/nats-transport.ts";
import type { WhenBusy } from "../pool/remote/remote-task.ts";
import type { Service } from "../pool/remote/service.ts";
import { ofVersion } from "./of-version.ts";
import { severable } from "./severable.ts";

const never = new AbortController().signal;

export interface TestMachine {
  readonly name: string;
  /** Parts that were made. */
  made: number;
  readonly signals: AbortSignal[];
  cut(): void;
  drain(): Promise<void>;
  close(): Promise<void>;
}

export type Run = (machine: TestMachine, ...args: Parameters<Service["run"]>) => ReturnType<Service["run"]>;

/** Counts from 1 to the job's number. */
export const counting: Run = async function* (machine, job, signal, onEnd) {
  machine.signals.push(signal);
  for (let count = 1; count <= Number(job); count++) {
    machine.made++;
    yield count;
  }
  onEnd({ queuedAt: 0, work: { from: 1, to: 2 }, busyMs: 1, pid: 42, tries: 1, outcome: "done" });
};

/** Waits after a number of parts until the job is aborted. */
export const stuckAfter = (parts: number): Run =>
  async function* (machine, _, signal) {
    machine.signals.push(signal);
    for (let count = 1; count <= parts; count++) yield count;
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  };

/** A NATS server for the tests of a suite, and what joins the cluster on it. */
export function useCluster() {
  let nats: NatsServer;
  before(async () => {
    nats = await startNatsServer();
  });
  after(() => nats.kill());
  return {
    nats: () => nats,

    /** An api node that knows these machines. */
    async join(t: TestContext, ...names: string[]): Promise<Cluster> {
      const cluster = createCluster(createNatsTransport(nats.url));
      t.after(() => cluster.close());
      await until(() => names.every((name) => cluster.machines().includes(name)), { what: "all machines have joined" });
      return cluster;
    },

    startMachine: (t: TestContext, ...machine: MachineParts): TestMachine => startMachine(t, nats.url, ...machine),
  };
}

type MachineParts = Parameters<typeof startMachine> extends [TestContext, string, ...infer Rest] ? Rest : never;

/** A worker machine with one kind of work. */
function startMachine(
  t: TestContext,
  url: string,
  name: string,
  run: Run,
  limits: Partial<Service> = {},
  { version = WIRE_VERSION, ...options }: { version?: number; maxJobs?: number; reportEveryMs?: number } = {},
): TestMachine {
  const transport = severable(ofVersion(createNatsTransport(url), version));
  const service: Service = {
    workers: 2,
    cost: 1,
    about: {},
    maxStarting: 4,
    maxRunning: 4,
    run: (...args) => run(machine, ...args),
    ...limits,
  };
  const started = createMachine(transport, { ...options, name, services: () => new Map([["work", service]]) });
  const machine: TestMachine = {
    name,
    made: 0,
    signals: [],
    cut: transport.cut,
    drain: () => started.drain(never),
    close: () => started.close(),
  };
  t.after(() => started.close());
  return machine;
}

export const work = (
  cluster: Cluster,
  job: unknown,
  whenBusy: WhenBusy = "refuse",
  onEnd?: (report: JobReport) => void,
) => cluster.run("work", job, { whenBusy }, never, onEnd);
export const all = async (parts: AsyncIterable<unknown>): Promise<unknown[]> => {
  const values: unknown[] = [];
  for await (const part of parts) values.push(part);
  return values;
};
