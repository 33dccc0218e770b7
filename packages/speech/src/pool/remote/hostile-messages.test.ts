import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import { type NatsServer, natsMissing, startNatsServer } from "../../../../../tests/support/nats-server.ts";
import { until } from "../../../../../tests/support/until.ts";
import { CAPACITY_SUBJECT, DEMAND_SUBJECT, machineSubject, nodeSubject, readCapacity, readDemand } from "./capacity.ts";
import { createCluster } from "./cluster.ts";
import { pack } from "./codec.ts";
import { createFrameWriter, decodeFrame, encodeFrame, type FrameType, WIRE_VERSION } from "./frames.ts";
import { createMachine } from "./machine.ts";
import { createNatsTransport } from "./nats-transport.ts";
import type { Service } from "./service.ts";
import type { Transport } from "./transport.ts";

const never = new AbortController().signal;
const MAX_CREDIT = 64;

/** Values of wrong types and sizes for any field. */
const ODD: readonly unknown[] = [
  null,
  undefined,
  true,
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e300,
  "",
  "x".repeat(100_000),
  [],
  {},
  new Uint8Array(3),
  new Float32Array([Number.NaN, -1, Number.POSITIVE_INFINITY]),
  { __proto__: null, constructor: 1 },
  Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, null])),
];

/** Each field of a value replaced by each odd value, at every depth. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* ODD;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  for (const [name, field] of Object.entries(value)) for (const odd of spoiled(field)) yield { ...value, [name]: odd };
}

const service = { workers: 2, cost: 1, running: 0, about: { sampleRate: 24_000, recognizers: ["a"] } };
const capacity = (id: string) => ({
  ...{ version: WIRE_VERSION, id, machine: "hostile", draining: false, left: false },
  services: { work: service },
});

describe("a cluster with a hostile member", { skip: natsMissing, timeout: 120_000 }, () => {
  let nats: NatsServer;
  before(async () => {
    nats = await startNatsServer();
  });
  after(() => nats.kill());

  async function connect(t: TestContext): Promise<Transport> {
    const transport = createNatsTransport(nats.url);
    t.after(() => transport.close());
    await until(() => transport.connected, { what: "the stranger is connected" });
    return transport;
  }
  async function setUp(t: TestContext) {
    const jobs: unknown[] = [];
    const counting: Service = {
      ...{ workers: 2, cost: 1, about: {}, maxStarting: 4, maxRunning: 4 },
      async *run(job, _signal, _onEnd, input) {
        jobs.push(job);
        for await (const bytes of input) yield bytes.length;
        for (let count = 1; count <= Number(job); count++) yield count;
      },
    };
    let id = "";
    const stranger = await connect(t);
    stranger.subscribe(CAPACITY_SUBJECT, (payload) => {
      const report = readCapacity(payload);
      if (report?.machine === "honest") id = report.id;
    });
    const machine = createMachine(createNatsTransport(nats.url), {
      name: "honest",
      services: () => new Map([["work", counting]]),
    });
    t.after(() => machine.close());
    const cluster = createCluster(createNatsTransport(nats.url));
    t.after(() => cluster.close());
    await until(() => id !== "" && cluster.machines().includes("honest"), { what: "the machine has joined" });
    const work = async (): Promise<unknown[]> => {
      const values: unknown[] = [];
      for await (const part of cluster.run("work", 3, { whenBusy: "wait" }, never)) values.push(part);
      return values;
    };
    return { stranger, machine, machineId: () => id, cluster, work, jobs };
  }

  it("ignores reports with any field of a wrong type or size", async (t) => {
    const { stranger, cluster, work } = await setUp(t);
    for (const report of spoiled(capacity("h"))) stranger.publish(CAPACITY_SUBJECT, pack(report));
    const demand = { version: WIRE_VERSION, id: "h", needs: new Float32Array([0.1, 1, 1]) };
    for (const report of spoiled(demand)) stranger.publish(DEMAND_SUBJECT, pack(report));
    for (const topic of ["traces", "x"]) {
      for (const question of spoiled({ version: WIRE_VERSION, from: "h", body: { type: "list", filter: {} } }))
        stranger.publish(`parlance.question.${topic}`, pack(question), "parlance.answer.h");
    }
    stranger.publish(CAPACITY_SUBJECT, new Uint8Array(900_000).fill(0x90));
    assert.deepEqual(await work(), [1, 2, 3]);
    for (const { share, ahead, left } of cluster.otherNeeds())
      for (const number of [share, ahead, left]) assert.ok(number >= 0 && number < 1e8);
    assert.ok(Number.isFinite(cluster.workers("work")));
  });

  it("reads only reports that can be", () => {
    assert.ok(readCapacity(pack(capacity("h"))));
    for (const spoil of [{ services: null }, { services: { work: null } }, { id: 1 }, { machine: "" }])
      assert.equal(readCapacity(pack({ ...capacity("h"), ...spoil })), undefined);
    for (const spoil of [{ workers: Number.NaN }, { workers: 1.5 }, { cost: -1 }, { running: "1" }])
      assert.equal(readCapacity(pack({ ...capacity("h"), services: { work: { ...service, ...spoil } } })), undefined);
    const demand = (needs: Float32Array) => readDemand(pack({ version: WIRE_VERSION, id: "h", needs }));
    assert.ok(demand(new Float32Array([0.1, 1, 1])));
    assert.equal(demand(new Float32Array([Number.NaN, 1, 1])), undefined);
    assert.equal(demand(new Float32Array(100_000)), undefined);
  });

  it("survives jobs and frames that cannot be, and floods of them", async (t) => {
    const { stranger, machine, machineId, work } = await setUp(t);
    const send = (bytes: Uint8Array, node: string) =>
      stranger.publish(machineSubject(machineId()), bytes, nodeSubject(node));
    let job = 0;
    const start = { kind: "work", job: 1, credit: 1, force: false, hasInput: false };
    for (const body of spoiled(start))
      createFrameWriter(++job, (bytes) => send(bytes, "odd")).write("start", pack(body));
    for (const type of ["start", "input", "credit", "cancel", "want", "part", "end", "error"] as FrameType[]) {
      for (const sequence of [0, 1, 2 ** 32 - 1])
        send(encodeFrame({ type, job: ++job, sequence, more: true, body: new Uint8Array(10) }), "odd");
    }
    // Each from another node: the names of nodes take memory, too.
    for (let node = 0; node < 10_000; node++)
      send(encodeFrame({ type: "start", job: 1, sequence: 0, more: false, body: pack(null) }), `n${node}`);
    await until(() => machine.running <= 1_024, { what: "the number of jobs is bounded" });
    assert.deepEqual(await work(), [1, 2, 3]);
  });

  it("does not keep more of unfinished jobs than 256 MiB", async (t) => {
    const { stranger, machine, machineId } = await setUp(t);
    const body = new Uint8Array(1_000_000);
    let answers = 0;
    stranger.subscribe(nodeSubject("last"), () => {
      answers++;
    });
    for (let job = 1; job <= 20; job++) {
      for (let sequence = 0; sequence < 16; sequence++) {
        const frame = encodeFrame({ type: "start", job, sequence, more: true, body });
        stranger.publish(machineSubject(machineId()), frame, nodeSubject("greedy"));
      }
      // Its answer comes when everything before it was read. NATS cuts off a machine that is far behind.
      const last = createFrameWriter(100 + job, (bytes) =>
        stranger.publish(machineSubject(machineId()), bytes, nodeSubject("last")),
      );
      last.write("start", pack({ kind: "unknown", job: 0, credit: 1, force: false, hasInput: false }));
      await until(() => answers >= job, { what: "everything was read" });
    }
    assert.equal(machine.running, 16, "jobs of 16 MB that fit into 256 MiB");
  });

  it("drops a node that sends more input than was requested", async (t) => {
    const { stranger, machine, machineId, jobs } = await setUp(t);
    const send = (bytes: Uint8Array) => stranger.publish(machineSubject(machineId()), bytes, nodeSubject("eager"));
    const writer = createFrameWriter(1, send);
    writer.write("start", pack({ kind: "work", job: 0, credit: 0, force: false, hasInput: true }));
    await until(() => jobs.length === 1, { what: "the job has begun" });
    for (let count = 0; count < 20; count++) writer.write("input", new Uint8Array(1_000));
    await until(() => machine.running === 0, { what: "the job is given up", timeoutMs: 8_000 });
  });

  for (const [what, answer] of [
    ["parts that nobody has asked for", (write: Write) => Array.from({ length: MAX_CREDIT }, () => write("part", 1))],
    ["a number of inputs that cannot be", (write: Write) => write("want", Number.NaN)],
    ["an end without a body", (write: Write) => write("end", null)],
    ["an error that is none", (write: Write) => write("error", 7)],
  ] as const) {
    it(`ends the job of a machine that sends ${what}, and no other`, async (t) => {
      const stranger = await connect(t);
      const cluster = createCluster(createNatsTransport(nats.url));
      t.after(() => cluster.close());
      const id = "00000000deadbeef";
      stranger.subscribe(machineSubject(id), (payload, reply) => {
        const frame = decodeFrame(payload);
        if (frame?.type !== "start" || reply === undefined) return;
        const writer = createFrameWriter(frame.job, (bytes) => stranger.publish(reply, bytes));
        answer((type, body) => writer.write(type, pack(body)));
      });
      const report = setInterval(() => stranger.publish(CAPACITY_SUBJECT, pack(capacity(id))), 100);
      t.after(() => clearInterval(report));
      await until(() => cluster.machines().includes("hostile"), { what: "the hostile machine is known" });
      const parts: unknown[] = [];
      const read = async (): Promise<void> => {
        // It is not read on while the flood arrives.
        for await (const part of cluster.run("work", 3, { whenBusy: "wait" }, AbortSignal.timeout(20_000))) {
          parts.push(part);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      if (what === "an end without a body") await read();
      else await assert.rejects(read(), { name: "SpeechError" });
      assert.ok(parts.length < 4);
    });
  }
});

type Write = (type: FrameType, body: unknown) => void;
