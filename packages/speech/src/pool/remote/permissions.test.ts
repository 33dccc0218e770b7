import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { LOOPBACK } from "../../../../../tests/support/host.ts";
import { natsMissing, startNatsServer } from "../../../../../tests/support/nats-server.ts";
import { until } from "../../../../../tests/support/until.ts";
import { ACCEPTED_SUBJECT, CAPACITY_SUBJECT, DEMAND_SUBJECT } from "./capacity.ts";
import { createCluster } from "./cluster.ts";
import { pack } from "./codec.ts";
import { packNeeds } from "./demand.ts";
import { WIRE_VERSION } from "./frames.ts";
import { createMachine } from "./machine.ts";
import { createNatsTransport } from "./nats-transport.ts";
import type { Service } from "./service.ts";
import type { Transport } from "./transport.ts";

const config = {
  path: fileURLToPath(new URL("../../../../../deploy/nats.conf", import.meta.url)),
  variables: { PARLANCE_NATS_API_PASSWORD: "a-password", PARLANCE_NATS_WORKER_PASSWORD: "w-password" },
};
const service: Service = {
  ...{ workers: 1, cost: 1, about: {}, maxStarting: 1, maxRunning: 1 },
  async *run() {
    yield "done";
  },
};

async function setUp(t: TestContext) {
  const nats = await startNatsServer(LOOPBACK, { config });
  t.after(() => nats.kill());
  const urlOf = (user: string): string => nats.url.replace("//", `//${user}:${user[0]}-password@`);
  const connect = async (user: string): Promise<Transport> => {
    const transport = createNatsTransport(urlOf(user));
    t.after(() => transport.close());
    await until(() => transport.connected, { what: `${user} is connected` });
    return transport;
  };
  return { nats, connect };
}

it("deploy/nats.conf allows each role what it needs, and nothing of the other role", {
  skip: natsMissing,
  timeout: 60_000,
}, async (t) => {
  const { nats, connect } = await setUp(t);
  const one = createCluster(await connect("api"));
  const two = createCluster(await connect("api"));
  const machine = createMachine(await connect("worker"), {
    name: "honest",
    services: () => new Map([["work", service]]),
  });
  for (const part of [one, two, machine]) t.after(() => part.close());
  await until(() => one.workers("work") === 1, { what: "the machine is known" });
  const signal = AbortSignal.timeout(20_000);
  for await (const part of one.run("work", null, { whenBusy: "wait" }, signal)) assert.equal(part, "done");
  two.questions.answer("name", () => "two");
  await until(async () => (await one.questions.ask("name", null)).includes("two"), { what: "nodes ask each other" });

  const need = { share: 0.5, ahead: 0, left: 4 };
  const demand = (id: string) => pack({ version: WIRE_VERSION, id, needs: packNeeds([need]) });
  const [node, worker] = [await connect("api"), await connect("worker")];
  const fake = { version: WIRE_VERSION, id: "f", machine: "fake", draining: false, left: false, services: {} };
  node.publish(CAPACITY_SUBJECT, pack(fake));
  worker.publish(DEMAND_SUBJECT, demand("worker"));
  worker.publish(ACCEPTED_SUBJECT, demand("worker"));
  // A message that is allowed comes after those that are not.
  node.publish(DEMAND_SUBJECT, demand("node"));
  worker.publish(CAPACITY_SUBJECT, pack({ ...fake, id: "w", machine: "other worker" }));
  await until(() => two.otherNeeds().length > 0 && two.machines().includes("other worker"), { what: "both are known" });
  assert.deepEqual(two.otherNeeds(), [need]);
  assert.deepEqual([...two.machines()].sort(), ["honest", "other worker"]);

  const stranger = createNatsTransport(nats.url);
  t.after(() => stranger.close());
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(stranger.connected, false, "nobody connects without a password");
});
