import assert from "node:assert/strict";
import { test } from "node:test";
import { type CapacityReport, LOST_AFTER_MS, SUSPECT_AFTER_MS } from "./capacity.ts";
import { createOtherDemand, packNeeds } from "./demand.ts";
import { WIRE_VERSION } from "./frames.ts";
import { createMachines, type Machine, type Machines } from "./machines.ts";

const report = (id: string, running: number, rest: Partial<CapacityReport> = {}, workers = 2): CapacityReport => ({
  version: WIRE_VERSION,
  id,
  machine: id,
  draining: false,
  left: false,
  services: { speech: { workers, cost: 0.25, running, about: { sampleRate: 24_000 } } },
  ...rest,
});

/** Puts a report in, of a machine that is not one too many. */
function known(machines: Machines<{ kind: string }>, given: CapacityReport): Machine<{ kind: string }> {
  const machine = machines.update(given);
  assert.ok(machine);
  return machine;
}

test("more machines than the limit are not known", () => {
  const machines = createMachines<{ kind: string }>(() => 0, 2);
  for (const id of ["a", "b", "c", "d"]) machines.update(report(id, 0));
  assert.deepEqual(
    machines.all().map(({ id }) => id),
    ["a", "b"],
  );
  assert.equal(machines.update(report("c", 0)), undefined);
  assert.ok(machines.update(report("a", 1)));
  machines.remove(known(machines, report("a", 0)));
  assert.ok(machines.update(report("c", 0)));
});

test("the machine that is silent for longest makes room for a further one, if it has no jobs", () => {
  let now = 0;
  const machines = createMachines<{ kind: string }>(() => now, 3);
  const replaceable = () => machines.replaceable()?.id;
  known(machines, report("working", 0)).jobs.add({ kind: "speech" });
  now = 100;
  machines.update(report("stalest", 0));
  now = 1_000 + SUSPECT_AFTER_MS;
  assert.equal(replaceable(), undefined, "there is a place");
  now = 200;
  machines.update(report("silent", 0));
  now = 100 + SUSPECT_AFTER_MS;
  assert.equal(replaceable(), undefined, "their last reports are not old enough");
  now = 201 + SUSPECT_AFTER_MS;
  assert.equal(replaceable(), "stalest");
  machines.update(report("stalest", 0));
  assert.equal(replaceable(), "silent");
  machines.remove(known(machines, report("silent", 0)));
  assert.deepEqual([machines.has("silent"), machines.has("stalest")], [false, true]);
});

test("a machine with an idle process comes first, then the one with the most capacity", () => {
  const machines = createMachines<{ kind: string }>(() => 0);
  const order = () => machines.offering("speech").map(({ id }) => id);
  const small = known(machines, report("small", 0, {}, 1));
  const large = known(machines, report("large", 1));
  assert.deepEqual(order(), ["large", "small"]);
  assert.equal(machines.workers("speech"), 3);
  // What this node has sent since the report counts at once.
  large.jobs.add({ kind: "speech" });
  assert.deepEqual([machines.room(large, "speech"), machines.room(small, "speech")], [6, 4]);
  assert.deepEqual(order(), ["small", "large"]);
  small.jobs.add({ kind: "speech" });
  assert.deepEqual(order(), ["large", "small"]);
});

test("nodes with the same reports choose different machines of the same capacity", () => {
  const nodes = [1, 2].map(() => createMachines<{ kind: string }>(() => 0));
  for (const machines of nodes) for (let id = 0; id < 50; id++) machines.update(report(`m${id}`, id % 2));
  const [first = [], second = []] = nodes.map((machines) => machines.offering("speech").map(({ id }) => id));
  assert.notDeepEqual(first, second);
  const isIdle = (id: string): boolean => Number(id.slice(1)) % 2 === 0;
  for (const order of [first, second]) assert.ok(order.slice(0, 25).every(isIdle) && !order.slice(25).some(isIdle));
});

test("a machine that drains and is too old for a job is not asked to finish it", () => {
  const machines = createMachines<{ kind: string }>(() => 0);
  machines.update(report("older", 0, { version: WIRE_VERSION - 1, draining: true }));
  machines.update(report("current", 0, { draining: true }));
  const draining = (version?: number) => machines.draining("speech", version).map(({ id }) => id);
  assert.deepEqual([draining(), draining(WIRE_VERSION)], [["older", "current"], ["current"]]);
});

test("a draining or silent machine gets no work, and what it offered stays known", () => {
  let now = 0;
  const machines = createMachines<{ kind: string }>(() => now);
  const machine = known(machines, report("a", 0));
  machines.update(report("a", 0, { draining: true }));
  assert.equal(machines.workers("speech"), 0);
  machines.update(report("a", 0));
  assert.equal(machines.workers("speech"), 2);
  now = SUSPECT_AFTER_MS + 1;
  assert.ok(machines.isSuspect(machine) && !machines.isLost(machine));
  assert.deepEqual(machines.offering("speech"), []);
  now = LOST_AFTER_MS + 1;
  assert.ok(machines.isLost(machine));
  assert.deepEqual(machines.info("speech"), { sampleRate: 24_000 });
});

test("the sum of the workers follows each change of what machines offer", () => {
  let now = 0;
  const machines = createMachines<{ kind: string }>(() => now);
  const sum = () => machines.workers("speech");
  assert.equal(sum(), 0);
  machines.update(report("a", 0));
  assert.equal(sum(), 2);
  machines.update(report("b", 0, {}, 3));
  assert.equal(sum(), 5);
  machines.update(report("b", 1, {}, 4));
  assert.equal(sum(), 6);
  machines.update(report("b", 1, { services: {} }));
  assert.equal(sum(), 2);
  now = SUSPECT_AFTER_MS + 1;
  assert.equal(sum(), 0);
  machines.remove(known(machines, report("a", 0)));
  machines.update(report("b", 0));
  assert.equal(sum(), 2);
});

test("the streams of other nodes are known until the node is silent, and are played meanwhile", () => {
  let now = 0;
  const demand = createOtherDemand(
    () => "own",
    () => now,
  );
  const needs = packNeeds([{ share: 0.25, ahead: 2, left: 8 }]);
  demand.update({ version: WIRE_VERSION, id: "own", needs });
  demand.update({ version: WIRE_VERSION, id: "other", needs });
  now = 500;
  assert.deepEqual(demand.needs(), [{ share: 0.25, ahead: 1.5, left: 8 }]);
  now = SUSPECT_AFTER_MS + 1;
  assert.deepEqual(demand.needs(), []);
});
