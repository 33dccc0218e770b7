import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseWorker, type JobClass, positionOf } from "./dispatch.ts";

const worker = (name: string, ...jobs: JobClass[]) => ({ name, jobs, isSuspect: false, isUnanswered: false });
const limits = { jobsPerWorker: 1, backgroundWorkers: 2 };

test("a queue is ordered by class, and within a class by arrival", () => {
  const queue: JobClass[] = ["instant", "live", "live", "background", "background"];
  assert.equal(positionOf(queue, "instant", false), 1);
  assert.equal(positionOf(queue, "live", false), 3);
  assert.equal(positionOf(queue, "background", false), 5);
});

test("a job that is tried again goes before those of its class", () => {
  const queue: JobClass[] = ["instant", "live", "background"];
  assert.equal(positionOf(queue, "instant", true), 0);
  assert.equal(positionOf(queue, "live", true), 1);
  assert.equal(positionOf(queue, "background", true), 2);
  assert.equal(positionOf([], "live", true), 0);
});

test("the idlest worker gets a job, and a busy one none", () => {
  const [idle, busy] = [worker("idle"), worker("busy", "background")];
  assert.equal(chooseWorker([busy, idle], "live", limits), idle);
  assert.equal(chooseWorker([busy], "live", limits), undefined);
  assert.equal(chooseWorker([{ ...idle, isSuspect: true }, worker("other", "instant")], "live", limits)?.name, "other");
});

test("a worker that may still compute what was cancelled gets a job last", () => {
  const [cancelled, idle] = [{ ...worker("cancelled"), isUnanswered: true }, worker("idle")];
  assert.equal(chooseWorker([cancelled, idle], "live", limits), idle);
  assert.equal(chooseWorker([cancelled], "live", limits), cancelled);
  assert.equal(chooseWorker([cancelled, worker("busy", "live")], "live", limits), cancelled);
});

test("an instant job goes to a busy worker, rather to one without background work", () => {
  const [batch, live] = [worker("batch", "background"), worker("live", "live", "instant")];
  assert.equal(chooseWorker([batch, live], "instant", limits), live);
  assert.equal(chooseWorker([batch], "instant", limits), batch);
});

test("background jobs leave the reserved worker alone", () => {
  const workers = [worker("first", "background"), worker("second")];
  assert.equal(chooseWorker(workers, "background", { ...limits, backgroundWorkers: 1 }), undefined);
  assert.equal(chooseWorker(workers, "live", { ...limits, backgroundWorkers: 1 })?.name, "second");
  assert.equal(chooseWorker(workers, "background", limits)?.name, "second");
});
