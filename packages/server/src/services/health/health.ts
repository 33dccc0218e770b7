import { type ApiError, apiError } from "@parlance/protocol";
import type { Speech } from "@parlance/speech";
import type { Log } from "../../telemetry/log.ts";
import { type CheckReport, createCheck } from "./check-report.ts";
import type { Canaries } from "./engine-checks.ts";

export interface HealthReport {
  readonly ready: boolean;
  readonly checks: readonly CheckReport[];
  /** What a caller is told when it is not ready. */
  readonly refusal: ApiError | undefined;
}

export interface Health {
  report(): Promise<HealthReport>;
}

export interface HealthParts {
  readonly speech: Pick<Speech, "defaultVoice">;
  /** Throws when the database cannot be read. */
  readonly ping: () => Promise<void>;
  readonly activeRequests: { readonly draining: boolean };
  /** Left out: engines that are there are taken to work. */
  readonly canaries: Pick<Canaries, "reports"> | undefined;
  readonly log: Pick<Log, "warn">;
  readonly pingTimeoutMs?: number;
}

/** Anybody may ask, as often as he likes: the database is not asked each time. */
const PING_LASTS_MS = 1_000;
const PING_TIMEOUT_MS = 5_000;

export function createHealth(parts: HealthParts): Health {
  const { speech, ping, activeRequests, canaries, log, pingTimeoutMs = PING_TIMEOUT_MS } = parts;
  const accepting = createCheck("accepting");
  const voices = createCheck("voices");
  const database = createCheck("database");
  let pinging: Promise<void> | undefined;
  let pingedAt = Number.NEGATIVE_INFINITY;
  let wasReady = false;

  async function pingOnce(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${pingTimeoutMs} ms`)), pingTimeoutMs);
    });
    try {
      await Promise.race([ping(), late]);
      database.set("ok");
    } catch (err) {
      if (database.set("failing", "it cannot be reached")) log.warn({ err }, "the database does not answer");
    } finally {
      clearTimeout(timer);
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
      if (performance.now() - pingedAt > PING_LASTS_MS) {
        pinging ??= pingOnce();
        await pinging;
      }
      if (activeRequests.draining) accepting.set("failing", "the server is shutting down");
      else accepting.set("ok");
      if (speech.defaultVoice() === undefined) voices.set("failing", "no voice is installed");
      else voices.set("ok");
      const checks = [
        accepting.report(true),
        database.report(true),
        voices.report(true),
        ...(canaries?.reports() ?? []),
      ];
      // What appears while the service runs, such as a model that was fetched in the background, does not stop it.
      const missing = checks.filter(
        ({ state, required }) => required && (state === "failing" || (state === "pending" && !wasReady)),
      );
      wasReady ||= missing.length === 0;
      return { ready: missing.length === 0, checks, refusal: refusalOf(missing) };
    },
  };
}
