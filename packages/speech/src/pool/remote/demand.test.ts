import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SUSPECT_AFTER_MS } from "./capacity.ts";
import { createOtherDemand, packNeeds } from "./demand.ts";
import { WIRE_VERSION } from "./frames.ts";

const MAX_NODES = 256;
const MAX_STREAMS = 4_096;

function setUp() {
  let time = 0;
  const demand = createOtherDemand(
    () => "this",
    () => time,
  );
  const report = (id: string, needs = packNeeds([{ share: 0.25, ahead: 2, left: 8 }])): void =>
    demand.update({ version: WIRE_VERSION, id, needs });
  const accept = (id: string, needs = packNeeds([{ share: 0.5, ahead: 0, left: 8 }])): void =>
    demand.add({ version: WIRE_VERSION, id, needs });
  const wait = (ms: number): void => {
    time += ms;
  };
  return { demand, report, accept, wait };
}

describe("the demand of other api nodes", () => {
  it("is what they have reported, less what their clients have played since", () => {
    const { demand, report, wait } = setUp();
    report("this");
    report("other");
    wait(500);
    assert.deepEqual(demand.needs(), [{ share: 0.25, ahead: 1.5, left: 8 }]);
    wait(SUSPECT_AFTER_MS);
    assert.deepEqual(demand.needs(), []);
  });

  it(`counts ${MAX_NODES} nodes, and a further one in the place of one that is silent`, () => {
    const { demand, report, wait } = setUp();
    for (let node = 0; node < MAX_NODES; node++) report(`n${node}`);
    report("one too many");
    assert.equal(demand.needs().length, MAX_NODES);
    wait(SUSPECT_AFTER_MS / 2);
    for (let node = 1; node < MAX_NODES; node++) report(`n${node}`);
    wait(SUSPECT_AFTER_MS / 2 + 1);
    report("another", packNeeds([{ share: 0.5, ahead: 0, left: 1 }]));
    assert.equal(demand.needs().length, MAX_NODES);
    assert.ok(demand.needs().some(({ share }) => share === 0.5));
  });

  it("has the streams that a node has accepted since its report, until the next one", () => {
    const { demand, report, accept } = setUp();
    accept("unknown");
    report("other");
    for (let stream = 0; stream < MAX_STREAMS + 1; stream++) accept("other");
    assert.equal(demand.needs().length, MAX_STREAMS + 1);
    report("other");
    accept("other");
    assert.deepEqual(
      demand.needs().map(({ share }) => share),
      [0.25, 0.5],
    );
    // A report of many streams is not one of an accepted stream.
    accept("other", new Float32Array(3 * MAX_STREAMS).fill(1));
    assert.equal(demand.needs().length, 3);
  });

  it(`counts ${MAX_STREAMS} streams of a node`, () => {
    const { demand, report } = setUp();
    const need = { share: 0.25, ahead: 0, left: 1 };
    const packed = packNeeds(new Array(MAX_STREAMS + 1).fill(need));
    assert.equal(packed.length, 3 * MAX_STREAMS);
    report("other", new Float32Array(3 * (MAX_STREAMS + 5)).fill(1));
    assert.equal(demand.needs().length, MAX_STREAMS);
  });
});
