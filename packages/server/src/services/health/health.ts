import { type ApiError, apiError } from "@parlance/protocol";
import type { Speech } from "@parlance/speech";
import { withTimeout } from "../../lib/time-limit.ts";
import { isStorageFull } from "../../stores/store-error.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { type CheckReport, createCheck } from "./check-report.ts";
import type { EngineChecks } from "./engine-checks.ts";
import type { StorageCheck } from "./storage-check.ts";

export interface HealthReport {
  readonly ready: boolean;
  readonly checks: readonly CheckReport[];
  /** The error of /health/ready when the service is not ready. */
  readonly refusal: ApiError | undefined;
}

export interface Health {
  report(): Promise<HealthReport>;
}

export interface HealthParts {
  readonly speech: Pick<Speech, "defaultVoice">;
  /** Throws when the database cannot be read or written. */
  readonly ping: () => Promise<void>;
  readonly activeRequests: { readonly draining: boolean };
  /** Left out: installed engines are assumed to work. */
  readonly engineChecks: Pick<EngineChecks, "reports"> | undefined;
  /** Left out: there is no object storage. */
  readonly storageCheck?: Pick<StorageCheck, "report"> | undefined;
  /** How many worker machines take work. Left out: this node works by itself. */
  readonly machines?: (() => number) | undefined;
  readonly log: LogFor<"database.unreachable">;
  readonly pingTimeoutMs?: number;
}

/** /health/ready is public and may be polled often: the database is queried at most this often. */
const PING_INTERVAL_MS = 1_000;
const PING_TIMEOUT_MS = 5_000;

export function createHealth(parts: HealthParts): Health {
  const {
    speech,
    ping,
    activeRequests,
    engineChecks,
    storageCheck,
    machines,
    log,
    pingTimeoutMs = PING_TIMEOUT_MS,
  } = parts;
  const accepting = createCheck("accepting");
  const voices = createCheck("voices");
  const database = createCheck("database");
  const workerMachines = createCheck("machines");
  let pinging: Promise<void> | undefined;
  let pingedAt = Number.NEGATIVE_INFINITY;
  let wasReady = false;

  async function pingOnce(): Promise<void> {
    try {
      await withTimeout(ping(), pingTimeoutMs);
      database.set("ok");
    } catch (err) {
      const reason = isStorageFull(err) ? "its disk is full" : "it cannot be reached";
      if (database.set("failing", reason)) logEvent(log, "database.unreachable", { err });
    } finally {
      pingedAt = performance.now();
      pinging = undefined;
    }
  }

  function refusalOf(missing: readonly CheckReport[]): ApiError | undefined {
    if (missing.length === 0) return undefined;
    if (activeRequests.draining) return apiError("draining", {}, { retryAfterSeconds: 5 });
    if (missing.some(({ name }) => name === "database")) return apiError("unavailable", {}, { retryAfterSeconds: 1 });
    const reasons = missing.map(({ name, reason = "" }) => (name === "voices" ? reason : `${name}: ${reason}`));
    return apiError("not_ready", { missing: reasons.join("; ") }, { retryAfterSeconds: 10 });
  }

  return {
    async report() {
      if (performance.now() - pingedAt > PING_INTERVAL_MS) {
        pinging ??= pingOnce();
        await pinging;
      }
      if (activeRequests.draining) accepting.set("failing", "the server is shutting down");
      else accepting.set("ok");
      if (speech.defaultVoice() === undefined) voices.set("failing", "no voice is installed");
      else voices.set("ok");
      if (machines?.() === 0) workerMachines.set("failing", "no worker machine is connected");
      else workerMachines.set("ok");
      const checks = [
        accepting.report(true),
        database.report(true),
        voices.report(true),
        ...(machines ? [workerMachines.report(true)] : []),
        ...(storageCheck ? [storageCheck.report()] : []),
        ...(engineChecks?.reports() ?? []),
      ];
      // An engine that appears while the service runs, such as a model fetched in the background, does not make it unready.
      const missing = checks.filter(
        ({ state, required }) => required && (state === "failing" || (state === "pending" && !wasReady)),
      );
      wasReady ||= missing.length === 0;
      return { ready: missing.length === 0, checks, refusal: refusalOf(missing) };
    },
  };
}
