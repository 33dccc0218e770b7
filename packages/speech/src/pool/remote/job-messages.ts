import type { WorkTime } from "../messages.ts";
import { isCount, isFields, isShortText, isUpTo } from "./checked-values.ts";
import { unpack } from "./codec.ts";

/** The body of a `start` frame. */
export interface JobStart {
  /** The kind of work: `speech.kokoro`, `recognition`. */
  readonly kind: string;
  readonly job: unknown;
  /** Parts that may be sent before the first `credit`. */
  readonly credit: number;
  /** The machine takes it even if it is busy: its stream was accepted earlier. */
  readonly force: boolean;
  /** Whether `input` frames follow. */
  readonly hasInput: boolean;
}

/** The body of an `end` frame. */
export interface JobEnd {
  readonly work: WorkTime | undefined;
  readonly busyMs: number;
  readonly pid: number | undefined;
}

/** More parts are never sent ahead. */
export const MAX_CREDIT = 64;

/** Undefined for a body that is no start of a job. */
export function readStart(body: Uint8Array): JobStart | undefined {
  const start = tryUnpack(body);
  if (!isFields(start) || !isShortText(start.kind) || !isCount(MAX_CREDIT, start.credit)) return undefined;
  const { kind, credit, job } = start;
  return { kind, credit, job, force: start.force === true, hasInput: start.hasInput === true };
}

/** Times that cannot be are left out: they only go into traces. */
export function readEnd(body: Uint8Array): JobEnd {
  const end = unpack(body);
  const { work, busyMs, pid } = isFields(end) ? end : {};
  const isTime = isFields(work) && Number.isFinite(work.from) && Number.isFinite(work.to);
  return {
    work: isTime ? { from: Number(work.from), to: Number(work.to) } : undefined,
    busyMs: isUpTo(MAX_BUSY_MS, busyMs) ? busyMs : 0,
    pid: isCount(2 ** 32, pid) ? pid : undefined,
  };
}

/** A day. */
const MAX_BUSY_MS = 86_400_000;

function tryUnpack(body: Uint8Array): unknown {
  try {
    return unpack(body);
  } catch {
    return undefined;
  }
}
