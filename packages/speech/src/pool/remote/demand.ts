import type { StreamNeed } from "../admission/schedulability.ts";
import { type DemandReport, SUSPECT_AFTER_MS } from "./capacity.ts";

/** More streams of one node are not reported to others. */
const MAX_STREAMS = 4_096;
const MAX_NODES = 256;

/** What the streams of the other api nodes still need of the machines. */
export interface OtherDemand {
  update(report: DemandReport): void;
  /** Streams that a node has accepted after its last report. */
  add(report: DemandReport): void;
  needs(): readonly StreamNeed[];
}

export function createOtherDemand(ownId: () => string, now: () => number): OtherDemand {
  const nodes = new Map<string, { readonly at: number; readonly needs: Float32Array; readonly added: StreamNeed[] }>();
  const forgetSilent = (): void => {
    for (const [id, { at }] of nodes) if (now() - at > SUSPECT_AFTER_MS) nodes.delete(id);
  };
  return {
    update({ id, needs }) {
      if (id === ownId()) return;
      if (!nodes.has(id) && nodes.size >= MAX_NODES) {
        // A node takes a new name with each connection, so the old names must not keep the places.
        forgetSilent();
        if (nodes.size >= MAX_NODES) return;
      }
      nodes.set(id, { at: now(), needs, added: [] });
    },
    add({ id, needs }) {
      const node = nodes.get(id);
      if (node && node.added.length < MAX_STREAMS) node.added.push(...[...unpackNeeds(needs)].slice(0, 1));
    },
    needs() {
      forgetSilent();
      const result: StreamNeed[] = [];
      for (const { at, needs, added } of nodes.values()) {
        const age = (now() - at) / 1000;
        for (const need of unpackNeeds(needs)) result.push({ ...need, ahead: Math.max(0, need.ahead - age) });
        result.push(...added);
      }
      return result;
    },
  };
}

export function packNeeds(needs: readonly StreamNeed[]): Float32Array {
  const numbers = new Float32Array(3 * Math.min(needs.length, MAX_STREAMS));
  for (const [index, { share, ahead, left }] of needs.slice(0, MAX_STREAMS).entries()) {
    numbers.set([share, ahead, left], 3 * index);
  }
  return numbers;
}

function* unpackNeeds(numbers: Float32Array): Generator<StreamNeed> {
  for (let index = 0; index + 2 < numbers.length && index < 3 * MAX_STREAMS; index += 3) {
    yield { share: numbers[index] ?? 0, ahead: numbers[index + 1] ?? 0, left: numbers[index + 2] ?? 0 };
  }
}
