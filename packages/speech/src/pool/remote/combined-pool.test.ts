import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import { type NatsServer, natsMissing, startNatsServer } from "../../../../../tests/support/nats-server.ts";
import { until } from "../../../../../tests/support/until.ts";
import { jobOf, long } from "../../testing/pool-jobs.ts";
import { severable } from "../../testing/severable.ts";
import { createTonePool, type TonePoolOptions } from "../../testing/tone-pool.ts";
import { speechService } from "../../worker/services.ts";
import type { JobReport } from "../job-report.ts";
import type { Pool } from "../pool.ts";
import { createCluster } from "./cluster.ts";
import { createCombinedPool, isElsewhereBetter } from "./combined-pool.ts";
import { createMachine } from "./machine.ts";
import { createNatsTransport } from "./nats-transport.ts";
import { speechKind } from "./remote-pool.ts";

const never = new AbortController().signal;

it("a job leaves a machine without an idle process for one with fewer jobs for each", () => {
  assert.equal(isElsewhereBetter(0, 1, 0), false);
  assert.equal(isElsewhereBetter(1, 2, 0), false);
  assert.equal(isElsewhereBetter(2, 2, 0.5), true);
  assert.equal(isElsewhereBetter(2, 2, 1), false);
  assert.equal(isElsewhereBetter(9, 2, Number.POSITIVE_INFINITY), false);
  assert.equal(isElsewhereBetter(1, 0, 0), true);
});

describe("a pool of own workers and of a cluster", { skip: natsMissing }, () => {
  let nats: NatsServer;
  before(async () => {
    nats = await startNatsServer();
  });
  after(() => nats.kill());

  async function setUp(t: TestContext, own: Pool | undefined, elsewhere: TonePoolOptions) {
    const kind = speechKind("piper");
    const services = new Map([[kind, await speechService(createTonePool(elsewhere), 0.1)]]);
    const transport = severable(createNatsTransport(nats.url));
    const machine = createMachine(transport, { name: "far", services: () => services });
    const cluster = createCluster(createNatsTransport(nats.url));
    t.after(async () => {
      await cluster.close();
      await machine.close();
    });
    await until(() => cluster.workers(kind) === 1, { what: "the machine has joined" });
    const pool = createCombinedPool("piper", () => own, cluster);
    const reports: JobReport[] = [];
    const speak = async (): Promise<number> => {
      let samples = 0;
      for await (const window of pool.synthesize(jobOf(long), never, (report) => reports.push(report)))
        samples += window.samples.length;
      return samples;
    };
    return { speak, reports, transport, pool };
  }

  it("speaks here while a process is idle, then elsewhere, and reports each chunk once", async (t) => {
    const { speak, reports } = await setUp(t, createTonePool({ cost: 0.01 }), { cost: 0.01 });
    const [first, second] = await Promise.all([speak(), speak()]);
    assert.ok(first !== undefined && first > 0 && first === second);
    assert.deepEqual(reports.map(({ machine }) => machine ?? "here").sort(), ["far", "here"]);
    await speak();
    assert.deepEqual([reports.length, reports[2]?.machine], [3, undefined]);
  });

  it("speaks here what a lost machine has not begun", async (t) => {
    let hasStarted = false;
    const stuck: TonePoolOptions = {
      async before(_, signal) {
        hasStarted = true;
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      },
    };
    const { speak, reports, transport } = await setUp(t, createTonePool({ cost: 0.01 }), stuck);
    const both = Promise.all([speak(), speak()]);
    await until(() => hasStarted, { what: "the machine has the job" });
    transport.cut();
    const [first, second] = await both;
    assert.equal(first, second);
    assert.deepEqual(
      reports.map(({ machine, outcome }) => [machine, outcome]),
      [
        [undefined, "done"],
        [undefined, "done"],
      ],
    );
  });

  it("speaks elsewhere when the engine is not installed here", async (t) => {
    const { speak, reports, pool } = await setUp(t, undefined, { cost: 0.01 });
    assert.ok((await speak()) > 0);
    assert.equal(reports[0]?.machine, "far");
    assert.deepEqual([await pool.ready, pool.pids()], [22_050, []]);
  });
});
