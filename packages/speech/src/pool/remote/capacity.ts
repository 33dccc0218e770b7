import { type Fields, isCount, isFields, isShortText, isUpTo } from "./checked-values.ts";
import { unpack } from "./codec.ts";
import { understands, WIRE_VERSION } from "./frames.ts";

/** What a machine can do of one kind of work, such as `speech.kokoro` or `recognition`. */
export interface ServiceCapacity {
  readonly workers: number;
  /** What one job occupies of a worker; for speech, seconds of work for one second of audio. */
  readonly cost: number;
  /** Jobs that it has, of all api nodes. */
  readonly running: number;
  /** What the api node needs to know without the models: the sample rate, or the recognizers. */
  readonly about: ServiceInfo;
}

export interface ServiceInfo {
  readonly sampleRate?: number | undefined;
  readonly recognizers?: readonly string[] | undefined;
  readonly tellsSpeakers?: boolean | undefined;
}

/** Published by each machine several times a second: its sign of life, and what it has room for. */
export interface CapacityReport {
  readonly version: number;
  readonly id: string;
  /** The name of the machine, for people. */
  readonly machine: string;
  /** It takes no new work. */
  readonly draining: boolean;
  /** Its last report. */
  readonly left: boolean;
  readonly services: Readonly<Record<string, ServiceCapacity>>;
}

/**
 * Published by each api node several times a second: its sign of life, and what its streams still need. Also published for each
 * stream that it has accepted, with the need of that one.
 */
export interface DemandReport {
  readonly version: number;
  readonly id: string;
  /** Share, seconds ahead and seconds left of each stream, one after the other. */
  readonly needs: Float32Array;
}

export const REPORT_EVERY_MS = 200;
/** A machine also reports when a job begins or ends, but not more often than this: what it has is what other nodes must know. */
export const CHANGE_REPORT_MS = 50;
/** A machine that is silent for this long gets no work, and jobs without output start again elsewhere, except for long ones. */
export const SUSPECT_AFTER_MS = 700;
/** After this time its other jobs start again or end, too. */
export const LOST_AFTER_MS = 5_000;

/** The needs of 4096 streams are 48 KiB. */
const MAX_REPORT_BYTES = 64 * 1024;
const MAX_SERVICES = 64;
const MAX_WORKERS = 10_000;
/** Seconds of work for one second of audio. */
const MIN_COST = 1e-6;
const MAX_COST = 10_000;
const MAX_RUNNING = 1_000_000;
const MAX_SAMPLE_RATE = 192_000;
/** Seconds, or a share of a cluster. A long text may need hours. */
const MAX_NEED = 1e7;

export const CAPACITY_SUBJECT = "parlance.capacity";
export const DEMAND_SUBJECT = "parlance.demand";
export const ACCEPTED_SUBJECT = "parlance.accepted";
export const machineSubject = (id: string): string => `parlance.machine.${id}`;
export const nodeSubject = (id: string): string => `parlance.node.${id}`;

/** Undefined for a report of a version that is not understood. */
export function readCapacity(bytes: Uint8Array): CapacityReport | undefined {
  const report = readReport(bytes);
  if (report === undefined || !isShortText(report.machine) || !isFields(report.services)) return undefined;
  const services = Object.entries(report.services);
  if (services.length > MAX_SERVICES) return undefined;
  const read = services.map(([kind, service]) => [kind, readService(kind, service)] as const);
  if (read.some(([, service]) => service === undefined)) return undefined;
  const { id, version, machine, draining, left } = report;
  return {
    ...{ id, version, machine, draining: draining === true, left: left === true },
    services: Object.fromEntries(read) as CapacityReport["services"],
  };
}

function readService(kind: string, service: unknown): ServiceCapacity | undefined {
  if (!isShortText(kind) || !isFields(service)) return undefined;
  const { workers, cost, running, about } = service;
  if (!isCount(MAX_WORKERS, workers) || !isUpTo(MAX_COST, cost) || !isCount(MAX_RUNNING, running)) return undefined;
  const info = readInfo(isFields(about) ? about : {});
  // Room is workers over cost.
  return { workers, cost: Math.max(MIN_COST, cost), running, about: info };
}

function readInfo({ sampleRate, recognizers, tellsSpeakers }: Fields): ServiceInfo {
  return {
    ...(isCount(MAX_SAMPLE_RATE, sampleRate) && sampleRate > 0 ? { sampleRate } : {}),
    ...(Array.isArray(recognizers) ? { recognizers: recognizers.filter(isShortText).slice(0, MAX_SERVICES) } : {}),
    ...(typeof tellsSpeakers === "boolean" ? { tellsSpeakers } : {}),
  };
}

export function readDemand(bytes: Uint8Array): DemandReport | undefined {
  const report = readReport(bytes);
  if (report === undefined || !(report.needs instanceof Float32Array)) return undefined;
  return report.needs.every((need) => isUpTo(MAX_NEED, need))
    ? { id: report.id, version: report.version, needs: report.needs }
    : undefined;
}

function readReport(bytes: Uint8Array): (Fields & { readonly id: string; readonly version: number }) | undefined {
  try {
    const report = bytes.length > MAX_REPORT_BYTES ? undefined : unpack(bytes);
    if (!isFields(report) || !isShortText(report.id) || typeof report.version !== "number") return undefined;
    const { id, version } = report;
    return understands(version, WIRE_VERSION) ? { ...report, id, version } : undefined;
  } catch {
    return undefined;
  }
}
