import {
  ACCEPTED_SUBJECT,
  CAPACITY_SUBJECT,
  DEMAND_SUBJECT,
  machineSubject,
  nodeSubject,
} from "../../packages/speech/src/pool/remote/capacity.ts";
import { decodeFrame } from "../../packages/speech/src/pool/remote/frames.ts";
import { createNatsTransport } from "../../packages/speech/src/pool/remote/nats-transport.ts";

/** Counts all messages between api nodes and machines by their kind: a type of frame, or a subject of reports. */
export interface MessageCounter {
  readonly total: number;
  count(kind: string): number;
  close(): Promise<void>;
}

export function countMessages(url: string): MessageCounter {
  const transport = createNatsTransport(url);
  const counts = new Map<string, number>();
  const add = (kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const subject of [ACCEPTED_SUBJECT, CAPACITY_SUBJECT, DEMAND_SUBJECT])
    transport.subscribe(subject, () => add(subject));
  for (const subject of [machineSubject("*"), nodeSubject("*")])
    transport.subscribe(subject, (payload) => add(decodeFrame(payload)?.type ?? "other"));
  return {
    get total() {
      return [...counts.values()].reduce((sum, count) => sum + count, 0);
    },
    count: (kind) => counts.get(kind) ?? 0,
    close: () => transport.close(),
  };
}
