import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { postgresMissing } from "../../packages/server/src/testing/postgres.ts";
import { natsMissing } from "../support/nats-server.ts";
import { namespacesMissing } from "../support/network.ts";
import { type Fault, type FaultsOptions, PARTS, runFaults } from "./faults.ts";
import { createClusterHosts } from "./hosts.ts";

const KILLS: readonly Fault[] = PARTS.map((part) => ({ part, how: "killed" }));
/** Longer than a machine may be silent before its jobs start again elsewhere. */
const CUT_MS = 1_500;
const DELAY_MS = 2;
/** The load is there to find losses, not to fill the machine. */
const LIGHT = { pauseMs: 200, restMs: 400 };

describe("a cluster under load", { skip: postgresMissing ?? natsMissing, timeout: 280_000 }, () => {
  it("loses no audio, credit, key or voice when each of its parts is killed or cut off", async (t) => {
    const { options, where, close } = await place();
    t.after(close);
    const { recoveries, charges, keys, voices, compared } = await runFaults(options);
    t.diagnostic(
      `${where}: ${charges} charges, ${keys} keys and ${voices} voices, ${compared} responses were compared`,
    );
    assert.equal(recoveries.length, options.faults.length);
    assert.ok(charges > 10 && keys > 2 && voices > 0 && compared > 5);
  });
});

/** In network namespaces, each part with an address of its own, where this process may make them. Else nothing can be cut off. */
async function place(): Promise<{ readonly options: FaultsOptions; readonly where: string; close(): void }> {
  const missing = namespacesMissing();
  if (missing !== undefined)
    return { options: { faults: KILLS, ...LIGHT }, where: `on one host (${missing})`, close() {} };
  const { network, hosts } = await createClusterHosts(DELAY_MS);
  const faults: readonly Fault[] = [...KILLS, { part: "worker", how: "cut off" }];
  const latency = network.noDelay === undefined ? undefined : { delayMs: DELAY_MS, address: network.address };
  return {
    options: { faults, hosts, latency, cutMs: CUT_MS, ...LIGHT },
    where: `on ${2 + hosts.nodes.length + hosts.machines.length} hosts, ${DELAY_MS} ms apart`,
    close: network.close,
  };
}
