import { before, describe } from "node:test";
import { natsMissing, startNatsServer } from "../../../../../tests/support/nats-server.ts";
import type { EngineSpec } from "../../engines/spec.ts";
import { testPool } from "../../testing/pool-conformance.ts";
import { pooledEngine } from "../../testing/pooled-engine.ts";
import { untilWorkers } from "../../testing/until-workers.ts";
import { speechService } from "../../worker/services.ts";
import { createPool, type Pool } from "../pool.ts";
import { createCluster } from "./cluster.ts";
import { createMachine, type Machine } from "./machine.ts";
import { createNatsTransport } from "./nats-transport.ts";
import { createRemotePool, speechKind } from "./remote-pool.ts";

describe("the pool of a cluster", { skip: natsMissing }, () => {
  let spec: EngineSpec;
  before(async () => {
    spec = await pooledEngine();
  });

  // One machine for each worker.
  testPool("a remote pool", async (size) => {
    const nats = await startNatsServer();
    const kind = speechKind("kokoro");
    const locals: Pool[] = [];
    const machines: Machine[] = [];
    for (let count = 0; count < size; count++) {
      const local = createPool(spec, { size: 1 });
      locals.push(local);
      const services = new Map([[kind, await speechService(local, 0.1)]]);
      machines.push(createMachine(createNatsTransport(nats.url), { name: `m${count}`, services: () => services }));
    }
    const cluster = createCluster(createNatsTransport(nats.url));
    await untilWorkers(() => cluster.workers(kind) === size, "all machines have joined");
    return {
      pool: createRemotePool("kokoro", cluster),
      // A machine tells of a new process a little later, and gets no work before.
      pids: () => (cluster.workers(kind) === size ? locals.flatMap((local) => local.pids()) : []),
      async close() {
        await cluster.close();
        for (const machine of machines) await machine.close();
        for (const local of locals) await local.close();
        await nats.kill();
      },
    };
  });
});
