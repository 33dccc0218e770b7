import type { FastifyInstance } from "fastify";
import { findDeepgramSocket } from "../dialects/deepgram/live/route.ts";
import { findElevenLabsListenSocket } from "../dialects/elevenlabs/listen/route.ts";
import { findElevenLabsSocket } from "../dialects/elevenlabs/live/route.ts";
import { findListenSocket } from "../dialects/fish/listen/route.ts";
import { serveLive } from "../dialects/fish/live/sockets.ts";
import { catalogRoutes } from "../dialects/fish/model/catalog.ts";
import { modelEditRoutes } from "../dialects/fish/model/edit.ts";
import { mcpRoutes } from "../dialects/mcp/mcp.ts";
import { createOpenAiSockets } from "../dialects/openai/conversation/route.ts";
import { DIALECTS, errorBodyFor } from "../dialects/registry.ts";
import { collectRoutes } from "../openapi/collect-routes.ts";
import { accountHistoryRoutes } from "../routes/account/history.ts";
import { adminAuditRoutes } from "../routes/admin/audit.ts";
import { adminSystemRoutes } from "../routes/admin/system.ts";
import { adminVoiceAliasRoutes } from "../routes/admin/voice-aliases.ts";
import { adminWalletRoutes } from "../routes/admin/wallet.ts";
import { dashboardRoutes } from "../routes/dashboard/dashboard.ts";
import { docsRoutes } from "../routes/docs.ts";
import { healthRoutes } from "../routes/health.ts";
import { identityRoutes } from "../routes/identity.ts";
import { metricsRoutes } from "../routes/metrics.ts";
import { optionsRoute } from "../routes/options.ts";
import { projectRoutes } from "../routes/projects/projects.ts";
import { traceRoutes } from "../routes/traces/traces.ts";
import { usageRoutes } from "../routes/usage/usage.ts";
import { walletRoutes } from "../routes/wallet/wallet.ts";
import type { LanguageModel } from "../services/conversation/chat.ts";
import { createLanguageModel } from "../services/conversation/language-model.ts";
import type { ResolvedParts } from "./app-parts.ts";
import type { Services } from "./services.ts";
import { VERSION } from "./version.ts";

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
  const { speech, timeouts, uploadTimeouts, config, log, pingMs, lateKeyMs } = parts;
  const { admission, synthesis, metering } = services;
  mcpRoutes(http, { ...services, version: VERSION });
  const hasConversations = config.llmUrl !== undefined;
  const isCatalogPublic = config.publicCatalogue === "on";
  for (const dialect of DIALECTS) {
    dialect.register(http, { ...services, speech, timeouts, uploadTimeouts, isCatalogPublic, hasConversations });
  }
  const { commonHeaders, record, tracer } = services;
  const idleMs = config.liveIdleSeconds * 1000;
  const findOpenAiSocket = createOpenAiSockets(languageModelOf(parts));
  serveLive(http.server, {
    ...admission,
    findRoute: (url) =>
      findListenSocket(url) ??
      findElevenLabsSocket(url) ??
      findElevenLabsListenSocket(url) ??
      findDeepgramSocket(url) ??
      findOpenAiSocket(url),
    errorBodyFor,
    commonHeaders,
    speech,
    synthesis,
    transcription: services.transcription,
    metering,
    record,
    tracer,
    log,
    idleMs,
    socketsPerAccount: config.socketsPerAccount,
    trustProxy: config.trustProxy,
    pingMs,
    lateKeyMs,
    ...timeouts,
  });
}

function languageModelOf({ config, languageModelTimeouts: timeouts }: ResolvedParts): LanguageModel | undefined {
  const { llmUrl: url, llmKey: key, llmModel: model } = config;
  if (url === undefined) return undefined;
  return createLanguageModel({ url, key, model, ...(timeouts === undefined ? {} : { timeouts }) });
}

function voiceRoutes(http: FastifyInstance, services: Services, parts: ResolvedParts): void {
  const { publicUrl, publicCatalogue } = parts.config;
  const { voices, samples, identify, activeRequests } = services;
  modelEditRoutes(http, { ...services, timeouts: parts.uploadTimeouts, publicUrl });
  const coverOf = async (voiceId: string, signal: AbortSignal) => {
    const cover = await parts.store.voiceBlobs.find(voiceId, "cover");
    const bytes = cover && (await services.voiceFiles.read(cover, signal));
    return bytes && { type: cover.type, bytes };
  };
  const isPublic = publicCatalogue === "on";
  adminVoiceAliasRoutes(http, { aliases: services.aliases, identify });
  catalogRoutes(http, { voices, samples, coverOf, identify, activeRequests, publicUrl, isPublic });
}

function accountRoutes(http: FastifyInstance, services: Services, parts: ResolvedParts): void {
  const { publicUrl, oidcName: providerName } = parts.config;
  const { identity, identify, cookie, pronunciations, wallets, report, audit } = services;
  const oidc = { oidc: identity.oidc, providerName, audit, log: parts.log };
  identityRoutes(http, { identity, identify, cookie, publicUrl, pronunciations, oidc });
  const { timeouts, uploadTimeouts } = parts;
  accountHistoryRoutes(http, { ...services, timeouts, uploadTimeouts });
  projectRoutes(http, { ...services, timeouts });
  walletRoutes(http, { wallets, identify, prices: parts.config.prices });
  adminWalletRoutes(http, { wallets, identify });
  usageRoutes(http, { accounts: identity.accounts, identify, report });
}

function operationRoutes(http: FastifyInstance, services: Services, { config }: ResolvedParts): void {
  const { identify, system, clusterTraces, health, metrics } = services;
  adminSystemRoutes(http, { system, identify });
  adminAuditRoutes(http, { audit: services.audit, identify });
  traceRoutes(http, { identify, clusterTraces });
  healthRoutes(http, health);
  if (config.metricsPort === undefined) metricsRoutes(http, { metrics, identify, key: config.metricsKey });
}
