import type { FastifyInstance } from "fastify";
import { asrRoutes } from "../dialects/fish/asr/asr.ts";
import { serveLive } from "../dialects/fish/live/sockets.ts";
import { catalogRoutes } from "../dialects/fish/model/catalog.ts";
import { modelEditRoutes } from "../dialects/fish/model/edit.ts";
import { ttsRoutes } from "../dialects/fish/tts/tts.ts";
import { admit } from "../http/admission.ts";
import { collectRoutes } from "../openapi/collect-routes.ts";
import { adminSystemRoutes } from "../routes/admin/system.ts";
import { adminWalletRoutes } from "../routes/admin/wallet.ts";
import { dashboardRoutes } from "../routes/dashboard/dashboard.ts";
import { docsRoutes } from "../routes/docs.ts";
import { healthRoutes } from "../routes/health.ts";
import { identityRoutes } from "../routes/identity.ts";
import { metricsRoutes } from "../routes/metrics.ts";
import { optionsRoute } from "../routes/options.ts";
import { traceRoutes } from "../routes/traces/traces.ts";
import { usageRoutes } from "../routes/usage/usage.ts";
import { walletRoutes } from "../routes/wallet/wallet.ts";
import type { ResolvedParts } from "./app-parts.ts";
import type { Services } from "./services.ts";

export function registerRoutes(http: FastifyInstance, services: Services, parts: ResolvedParts): void {
  const routes = collectRoutes(http);
  speechRoutes(http, services, parts);
  voiceRoutes(http, services, parts);
  accountRoutes(http, services, parts);
  operationRoutes(http, services, parts);
  docsRoutes(http, routes);
  dashboardRoutes(http, parts.dashboard);
  optionsRoute(http);
}

function speechRoutes(http: FastifyInstance, services: Services, parts: ResolvedParts): void {
  const { speech, timeouts, uploadTimeouts, config, log, pingMs } = parts;
  const { admission, synthesis, transcription, metering, uploads, activeRequests } = services;
  http.register(async (scope) => {
    admit(scope, admission);
    ttsRoutes(scope, { speech, synthesis, metering, activeRequests, timeouts });
  });
  http.register(async (scope) => {
    admit(scope, admission);
    await asrRoutes(scope, { transcription, metering, uploads, activeRequests, timeouts: uploadTimeouts });
  });
  const { commonHeaders, record, tracer } = services;
  const idleMs = config.liveIdleSeconds * 1000;
  serveLive(http.server, {
    ...admission,
    commonHeaders,
    speech,
    synthesis,
    metering,
    record,
    tracer,
    log,
    idleMs,
    socketsPerAccount: config.socketsPerAccount,
    pingMs,
    ...timeouts,
  });
}

function voiceRoutes(http: FastifyInstance, services: Services, parts: ResolvedParts): void {
  const { publicUrl, publicCatalogue } = parts.config;
  const { voices, samples, identify, activeRequests } = services;
  modelEditRoutes(http, { ...services, timeouts: parts.uploadTimeouts, publicUrl });
  const coverOf = (voiceId: string) => parts.store.voiceBlobs.find(voiceId, "cover");
  const isPublic = publicCatalogue === "on";
  catalogRoutes(http, { voices, samples, coverOf, identify, activeRequests, publicUrl, isPublic });
}

function accountRoutes(http: FastifyInstance, services: Services, { config: { publicUrl } }: ResolvedParts): void {
  const { identity, identify, cookie, wallets, report } = services;
  identityRoutes(http, { identity, identify, cookie, publicUrl });
  walletRoutes(http, { wallets, identify });
  adminWalletRoutes(http, { wallets, identify });
  usageRoutes(http, { accounts: identity.accounts, identify, report });
}

function operationRoutes(http: FastifyInstance, services: Services, { config }: ResolvedParts): void {
  const { identify, system, traces, health, metrics } = services;
  adminSystemRoutes(http, { system, identify });
  traceRoutes(http, { identify, traces });
  healthRoutes(http, health);
  if (config.metricsPort === undefined) metricsRoutes(http, { metrics, identify, key: config.metricsKey });
}
