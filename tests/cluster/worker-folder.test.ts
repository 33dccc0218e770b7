import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { startWorkerMachine } from "../../packages/server/src/compose/worker.ts";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { createLog } from "../../packages/server/src/telemetry/log.ts";
import { temporaryFolder } from "../../packages/server/src/testing/temporary-folder.ts";
import { createModelStore } from "../../packages/speech/src/index.ts";
import { natsMissing, startNatsServer } from "../support/nats-server.ts";

it("a worker machine removes the recordings that one before it has left", {
  skip: natsMissing,
  timeout: 60_000,
}, async (context) => {
  const nats = await startNatsServer();
  context.after(() => nats.kill());
  const data = await temporaryFolder(context);
  const folderOf = (pid: number) => join("work", `${hostname().replace(/[^\w.]+/g, "_")}-${pid}-${randomUUID()}`);
  const [killed, running] = [folderOf(spawnSync(process.execPath, ["-e", ""]).pid), folderOf(process.ppid)];
  for (const folder of [killed, running]) {
    await mkdir(join(data, folder, "parlance-refinement-x"), { recursive: true });
    await writeFile(join(data, folder, "parlance-refinement-x", "0"), "speech");
  }
  const machine = await startWorkerMachine({
    config: { ...readConfig({}).config, data, natsUrl: nats.url, cloning: "off", metricsPort: undefined },
    models: createModelStore({ directory: join(data, "models"), environment: {} }),
    log: createLog("silent"),
  });
  context.after(() => machine.close());
  assert.deepEqual(
    (await readdir(join(data, "work"))).map((name) => join("work", name)),
    [running],
  );
});
