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

/** Published by each api node several times a second: its sign of life, and what its streams still need. */
export interface DemandReport {
  readonly version: number;
  readonly id: string;
  /** Share, seconds ahead and seconds left of each stream, one after the other. */
  readonly needs: Float32Array;
}

export const REPORT_EVERY_MS = 200;
/** A machine that is silent for this long gets no work, and jobs without output start again elsewhere. */
export const SUSPECT_AFTER_MS = 700;
/** After this time its other jobs end, too. */
export const LOST_AFTER_MS = 5_000;

export const CAPACITY_SUBJECT = "parlance.capacity";
export const DEMAND_SUBJECT = "parlance.demand";
export const machineSubject = (id: string): string => `parlance.machine.${id}`;
export const nodeSubject = (id: string): string => `parlance.node.${id}`;

/** Undefined for a report of a version that is not understood. */
export function readCapacity(bytes: Uint8Array): CapacityReport | undefined {
  const report = readReport(bytes);
  return report !== undefined && "services" in report ? (report as unknown as CapacityReport) : undefined;
}

export function readDemand(bytes: Uint8Array): DemandReport | undefined {
  const report = readReport(bytes);
  return report !== undefined && "needs" in report && report.needs instanceof Float32Array
    ? (report as unknown as DemandReport)
    : undefined;
}

function readReport(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const report = unpack(bytes);
    if (typeof report !== "object" || report === null || !("version" in report) || !("id" in report)) return undefined;
    return typeof report.version === "number" && understands(report.version, WIRE_VERSION)
      ? (report as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
