import { ApiError, apiError, type Operation } from "@parlance/protocol";
import { type Span, withSpan } from "@parlance/speech";
import type { ActiveRequests } from "../../http/active-requests.ts";
import { asApiError, logFault } from "../../http/errors.ts";
import type { DisabledAccountWatcher } from "../../services/identity/disabled-account-watcher.ts";
import type { Caller } from "../../services/identity/keys.ts";
import type { Limits, Slot } from "../../services/limits/limits.ts";
import type { Log } from "../../telemetry/log.ts";
import { CLIENT_GONE, type RecordRequest, type RequestFacts } from "../../telemetry/request-log.ts";
import { newTraceId } from "../../telemetry/trace.ts";
import type { RequestSpan, Tracer } from "../../telemetry/tracer.ts";

export interface RequestParts {
  /** The account that all clients act as. Throws when there is none or it is disabled. */
  readonly findCaller: () => Promise<Caller>;
  readonly limits: Limits;
  readonly disabledAccounts: DisabledAccountWatcher;
  readonly activeRequests: ActiveRequests;
  readonly record: RecordRequest;
  readonly tracer: Tracer;
  readonly log: Log;
}

/** One text or one recording, from its first event to the last event of the answer. */
export interface WyomingRequest {
  readonly traceId: string;
  readonly trace: RequestSpan;
  readonly facts: RequestFacts;
  /** Aborted when the connection ends and when the account is disabled. */
  readonly controller: AbortController;
  admit(): Promise<Caller>;
  acquireSlot(caller: Caller): Promise<Slot>;
  /** Writes the log line, the metrics and the trace. Returns the error that the client is sent. */
  finish(error?: unknown): ApiError | undefined;
}

export interface RequestKind {
  readonly operation: Operation;
  /** Without a slash: it is not an HTTP route. */
  readonly route: string;
}

/** `signal` is aborted when the connection ends. */
export function beginRequest(parts: RequestParts, kind: RequestKind, signal: AbortSignal): WyomingRequest {
  const { operation, route } = kind;
  const { activeRequests, limits, disabledAccounts } = parts;
  const startedAt = performance.now();
  const traceId = newTraceId();
  const log = parts.log.child({ traceId });
  const facts: RequestFacts = { operation, dialect: "wyoming" };
  const trace = parts.tracer.begin({ route: `TCP ${route}`, operation, traceId });
  const controller = new AbortController();
  const onEnd = (): void => controller.abort(signal.reason);
  signal.addEventListener("abort", onEnd, { once: true });
  let unwatch = (): void => {};
  let finished = false;

  const inAdmission = <Result>(step: string, work: (span: Span) => Promise<Result>): Promise<Result> =>
    withSpan(trace, "admission", (admission) => withSpan(admission, step, work));
  return {
    traceId,
    trace,
    facts,
    controller,
    async admit() {
      if (activeRequests.draining) throw apiError("draining", {}, { retryAfterSeconds: 5 });
      const caller = await inAdmission("auth", parts.findCaller);
      facts.userId = caller.userId;
      unwatch();
      unwatch = disabledAccounts.watch(caller.userId, () => controller.abort(apiError("account_disabled", {})));
      return caller;
    },
    acquireSlot: (caller) => inAdmission("limits", () => limits.acquire(caller, controller.signal)),
    finish(error) {
      const { reason } = controller.signal;
      const fault = error === undefined ? undefined : asApiError(reason instanceof ApiError ? reason : error);
      if (finished) return fault;
      finished = true;
      signal.removeEventListener("abort", onEnd);
      unwatch();
      if (fault !== undefined && !signal.aborted) logFault(log, fault, error);
      const status = signal.aborted ? CLIENT_GONE : (fault?.status ?? 200);
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      const code = fault === undefined || signal.aborted ? {} : { code: fault.code };
      parts.record(log, { method: "TCP", route, status, ms, ...code }, facts);
      trace.finish({ ...facts, status, ok: status === 200, error: signal.aborted ? "cut" : fault?.code });
      return fault;
    },
  };
}
