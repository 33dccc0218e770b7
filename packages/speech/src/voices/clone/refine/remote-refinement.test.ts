import assert from "node:assert/strict";
import { it } from "node:test";
import { natsMissing, startNatsServer } from "../../../../../../tests/support/nats-server.ts";
import { until } from "../../../../../../tests/support/until.ts";
import { createCluster } from "../../../pool/remote/cluster.ts";
import { createMachine } from "../../../pool/remote/machine.ts";
import { createNatsTransport } from "../../../pool/remote/nats-transport.ts";
import { noFiles, someVoice } from "../../../testing/refinement-jobs.ts";
import { singleService } from "../../../worker/services.ts";
import type { RefinementResult } from "./refinement.ts";
import { createRemoteRefinementPool, REFINEMENT_KIND } from "./remote-refinement.ts";

const never = new AbortController().signal;

it("a machine that is silent for a moment keeps the voice that it refines", {
  skip: natsMissing,
  timeout: 60_000,
}, async (context) => {
  const nats = await startNatsServer();
  context.after(() => nats.kill());
  const result: RefinementResult = { refined: undefined, similarity: { before: 0.5, after: 0.5 } };
  let starts = 0;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const service = singleService(
    () => true,
    async () => {
      starts++;
      await finished;
      return result;
    },
  );
  const machine = createMachine(createNatsTransport(nats.url), {
    name: "machine",
    services: () => new Map([[REFINEMENT_KIND, service]]),
    reportEveryMs: 2_000,
  });
  context.after(() => machine.close());
  const cluster = createCluster(createNatsTransport(nats.url));
  context.after(() => cluster.close());
  const workers = (are: (count: number) => boolean, what: string) =>
    until(() => are(cluster.workers(REFINEMENT_KIND)), { what, timeoutMs: 20_000 });
  await workers((count) => count > 0, "the machine has joined");
  const job = { voice: someVoice, recordings: [], share: 1 };
  const refining = createRemoteRefinementPool(cluster).refine(noFiles, job, never);
  refining.catch(() => {});
  await until(() => starts > 0, { what: "the machine has the voice", timeoutMs: 20_000 });
  await workers((count) => count === 0, "the machine is suspect");
  await workers((count) => count > 0, "it is heard again");
  finish();
  assert.deepEqual(await refining, result);
  assert.equal(starts, 1);
});
