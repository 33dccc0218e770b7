import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { natsMissing } from "../../../../../tests/support/nats-server.ts";
import { until } from "../../../../../tests/support/until.ts";
import { all, counting, stuckAfter, useCluster, work } from "../../testing/counting-machine.ts";
import {
  ACCEPTED_SUBJECT,
  CAPACITY_SUBJECT,
  DEMAND_SUBJECT,
  REPORT_EVERY_MS,
  readCapacity,
  readDemand,
} from "./capacity.ts";
import { createNatsTransport } from "./nats-transport.ts";

describe("the reports in a cluster", { skip: natsMissing }, () => {
  const { nats, join, startMachine } = useCluster();

  it("uses a machine within two seconds of its reports after it has joined", async (t) => {
    startMachine(t, "full", stuckAfter(1), { workers: 1, maxStarting: 1, maxRunning: 1 });
    const cluster = await join(t, "full");
    const running = work(cluster, 1);
    await running.next();
    await assert.rejects(all(work(cluster, 1)), /no machine has room/);
    // By the clock of the machine: on a busy computer all clocks are late.
    let reports = 0;
    const listener = createNatsTransport(nats().url);
    t.after(() => listener.close());
    await until(() => listener.connected, { what: "the reports are counted" });
    listener.subscribe(CAPACITY_SUBJECT, (payload) => {
      if (readCapacity(payload)?.machine === "joined") reports++;
    });
    let startedAfter: number | undefined;
    startMachine(t, "joined", async function* (...args) {
      startedAfter = reports;
      yield* counting(...args);
    });
    const machines: (string | undefined)[] = [];
    const isAccepted = async (): Promise<boolean> => {
      const parts = await all(work(cluster, 2, "refuse", ({ machine }) => machines.push(machine))).catch(() => []);
      return parts.length === 2;
    };
    await until(isAccepted, { what: "the new machine is used", everyMs: 10 });
    assert.equal(machines.at(-1), "joined");
    assert.ok((startedAfter ?? Number.POSITIVE_INFINITY) * REPORT_EVERY_MS <= 2_000, `${startedAfter} reports`);
    await running.return(undefined);
  });

  it("is told at once when a job begins or ends on a machine", async (t) => {
    const listener = createNatsTransport(nats().url);
    t.after(() => listener.close());
    let nodes = 0;
    const running: (number | undefined)[] = [];
    listener.subscribe(DEMAND_SUBJECT, () => nodes++);
    listener.subscribe(CAPACITY_SUBJECT, (payload) => running.push(readCapacity(payload)?.services.work?.running));
    const cluster = await join(t);
    await until(() => nodes > 0, { what: "the node is connected" });
    // By the clock it would report after this test.
    startMachine(t, "a", stuckAfter(1), {}, { reportEveryMs: 600_000 });
    await until(() => cluster.machines().includes("a"), { what: "the machine has joined" });
    const jobs = Array.from({ length: 3 }, () => work(cluster, 1));
    for (const parts of jobs) await parts.next();
    await until(() => running.at(-1) === 3, { what: "the jobs are reported" });
    for (const parts of jobs) await parts.return(undefined);
    await until(() => running.at(-1) === 0, { what: "their end is reported" });
    assert.ok(running.length <= 10, `${running.length} reports for three jobs`);
  });

  it("tells other nodes what its streams need", async (t) => {
    const one = await join(t);
    const two = await join(t);
    one.shareNeeds(() => [{ share: 0.5, ahead: 0, left: 4 }]);
    await until(() => two.otherNeeds().length === 1, { what: "the need is known to the other node" });
    assert.deepEqual(one.otherNeeds(), []);
  });

  it("tells other nodes at once of a stream that it has accepted", async (t) => {
    const one = await join(t);
    const told: number[] = [];
    const listener = createNatsTransport(nats().url);
    t.after(() => listener.close());
    listener.subscribe(ACCEPTED_SUBJECT, (payload) => told.push(...(readDemand(payload)?.needs ?? [])));
    const isTold = (): boolean => {
      // Messages are dropped until there is a connection.
      one.tellAccepted({ share: 0.5, ahead: 0, left: 4 });
      return told.length > 0;
    };
    await until(isTold, { what: "the other node is told" });
    assert.deepEqual(told.slice(0, 3), [0.5, 0, 4]);
  });
});
