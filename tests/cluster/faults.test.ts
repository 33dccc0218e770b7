import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { postgresMissing } from "../../packages/server/src/testing/postgres.ts";
import { natsMissing } from "../support/nats-server.ts";
import { PARTS, runFaults } from "./faults.ts";

describe("a cluster under load", { skip: postgresMissing ?? natsMissing, timeout: 280_000 }, () => {
  it("loses no audio, credit, key or voice when each of its parts is killed", async (t) => {
    const { recoveries, charges, keys, voices, compared } = await runFaults({
      faults: PARTS.map((part) => ({ part, how: "killed" })),
    });
    t.diagnostic(`${charges} charges, ${keys} keys and ${voices} voices, ${compared} responses were compared`);
    assert.equal(recoveries.length, PARTS.length);
    assert.ok(charges > 10 && keys > 2 && voices > 0 && compared > 5);
  });
});
