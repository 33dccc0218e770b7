import { effectiveSettings } from "../config/effective-settings.ts";
import { plansOf } from "../config/plans.ts";
import { createActiveRequests } from "../http/active-requests.ts";
import { createCommonHeaders } from "../http/headers.ts";
import { createIdentify } from "../http/identify.ts";
import { createSessionCookie } from "../http/session-cookie.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createAudit } from "../services/audit/audit.ts";
import { createMetering } from "../services/billing/metering.ts";
import { createWalletService } from "../services/billing/wallet.ts";
import { createNode } from "../services/cluster/node.ts";
import { createEngineChecks } from "../services/health/engine-checks.ts";
import { createHealth } from "../services/health/health.ts";
import { createStorageCheck } from "../services/health/storage-check.ts";
import { createSystem } from "../services/health/system.ts";
import { createIdentity } from "../services/identity/identity.ts";
import { createLimits } from "../services/limits/limits.ts";
import { createMemoryGuard } from "../services/limits/memory-guard.ts";
import { createQuotaCounter } from "../services/limits/shared-quota-counter.ts";
import { createUsage } from "../services/usage/usage.ts";
import { type ReportRequest, reportUsage } from "../services/usage/usage-report.ts";
import { createClusterTraces } from "../telemetry/cluster-traces.ts";
import { logEvent } from "../telemetry/log-events.ts";
import { createRequestRecord } from "../telemetry/request-log.ts";
import { createTraceStore } from "../telemetry/trace-store.ts";
import { createTracer } from "../telemetry/tracer.ts";
import type { ResolvedParts } from "./app-parts.ts";
import { createProjectServices } from "./project-services.ts";
import { createSpeechServices } from "./speech-services.ts";
import { VERSION } from "./version.ts";

/** The services behind the routes. Nothing runs until the app is ready. */
export type Services = ReturnType<typeof createServices>;

export function createServices(parts: ResolvedParts) {
  const { config, store, log } = parts;
  const activeRequests = createActiveRequests();
  const node = createNode(store, { log, ...parts.node });
  const access = createAccess(parts, node.id);
  const observability = createObservability(parts, activeRequests);
  const audit = createAudit(store, {
    days: config.auditDays,
    onFault: (err) => logEvent(log, "audit.write-failed", { err }),
  });
  node.onHeartbeat(audit.sweep);
  const wallets = createWalletService(store, access.plans);
  const metering = createMetering({ store, node, plans: access.plans, prices: config.prices, log });
  const speechServices = createSpeechServices(parts, node);
  const { limits } = access;
  return {
    activeRequests,
    node,
    audit,
    wallets,
    metering,
    ...access,
    ...observability,
    ...speechServices,
    ...createProjectServices(parts, node, { ...speechServices, ...observability, metering, limits }),
    commonHeaders: createCommonHeaders(config),
    /** The settings that are not at their default, as they may be shown. */
    changedSettings: Object.fromEntries(
      effectiveSettings(config)
        .filter((setting) => !setting.is_default)
        .map(({ name, value }) => [name, value]),
    ),
    /** What every route checks before it does work. */
    admission: {
      identify: access.identify,
      limits: access.limits,
      disabledAccounts: access.identity.disabledAccounts,
      activeRequests,
    },
  };
}

/** Who sends a request, and how much they may do. */
function createAccess({ config, store, log, disabledPollMs }: ResolvedParts, nodeId: string) {
  const plans = plansOf(config);
  const identity = createIdentity(store, log, { pollMs: disabledPollMs, oidc: config });
  const cookie = createSessionCookie(config.publicUrl);
  const identify = createIdentify({ ...identity, cookie, publicUrl: config.publicUrl });
  const hasMemory = createMemoryGuard({ minFreeBytes: config.minFreeMb * 2 ** 20 });
  const limits = createLimits({ plans, counter: createQuotaCounter(store, nodeId), waitMs: config.waitMs, hasMemory });
  return { plans, identity, cookie, identify, limits };
}

/** Usage, health, metrics and traces. */
function createObservability(parts: ResolvedParts, activeRequests: ReturnType<typeof createActiveRequests>) {
  const { config, store, speech, transcription, log } = parts;
  const usage = createUsage(store, {
    onFault: (err) => logEvent(log, "usage.write-failed", { err }),
  });
  const times = { everyMs: config.healthCheckSeconds * 1000 };
  const checks = parts.healthChecks === "off" ? undefined : createEngineChecks({ ...parts, times });
  const storageCheck = parts.objects && createStorageCheck(parts.objects, { ...times, log });
  const { machines } = parts;
  const health = createHealth({
    speech,
    ping: store.ping,
    activeRequests,
    engineChecks: checks,
    storageCheck,
    machines,
    log,
  });
  const metrics = createMetrics({ ...parts, version: VERSION, activeRequests, health: health.report });
  const traces = createTraceStore(config.traces);
  const system = createSystem({
    speech,
    transcription,
    version: VERSION,
    database: config.databaseUrl === undefined ? "sqlite" : "postgresql",
    settings: [...effectiveSettings(config)],
    activeRequests,
  });
  return {
    usage,
    checks,
    storageCheck,
    health,
    metrics,
    record: createRequestRecord(usage.record, metrics.request),
    clusterTraces: createClusterTraces(traces, parts.cluster),
    tracer: createTracer({ store: traces, sink: parts.traceExport }),
    system,
    /** Includes what is still buffered in this process. */
    report: async (request: ReportRequest) => {
      await usage.flush();
      return reportUsage(store, request);
    },
  };
}
