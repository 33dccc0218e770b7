import type { Duplex } from "node:stream";
import type { Speech } from "@parlance/speech";
import type { ActiveRequests } from "../../../http/active-requests.ts";
import type { Metering } from "../../../services/billing/metering.ts";
import type { DisabledAccountWatcher } from "../../../services/identity/disabled-account-watcher.ts";
import type { Caller } from "../../../services/identity/keys.ts";
import type { Limits, Slot } from "../../../services/limits/limits.ts";
import type { Synthesis } from "../../../services/speech/synthesis.ts";
import type { TranscriptionService } from "../../../services/speech/transcription.ts";
import type { Log } from "../../../telemetry/log.ts";
import type { RecordRequest } from "../../../telemetry/request-log.ts";
import type { RequestSpan } from "../../../telemetry/tracer.ts";
import type { SocketBudget } from "./frame-budget.ts";

export interface SessionParts {
  readonly speech: Speech;
  readonly synthesis: Synthesis;
  readonly transcription: TranscriptionService;
  readonly metering: Metering;
  readonly limits: Limits;
  readonly disabledAccounts: DisabledAccountWatcher;
  readonly activeRequests: ActiveRequests;
  readonly record: RecordRequest;
  readonly engineTimeoutMs: number;
  readonly readerTimeoutMs: number;
  readonly idleMs: number;
}

/** The caller and the options of one socket. */
export interface SessionOptions {
  readonly caller: Caller;
  /** Identifies the caller again. Throws the 401 when the key was revoked or the session has ended. */
  readonly identify: () => Promise<Caller>;
  /** The slot that was acquired with the upgrade, for the first round. */
  readonly slot: Slot;
  /** The connection below the socket. */
  readonly stream: Duplex;
  readonly budget: SocketBudget;
  readonly model: string | undefined;
  readonly route: string;
  readonly traceId: string;
  /** The span of the upgrade. Each round has its own below it. */
  readonly trace: RequestSpan;
  readonly withTimestamps: boolean;
  readonly log: Log;
}
