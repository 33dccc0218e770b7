import { createRequire } from "node:module";
import type { Cloning, Speech, Transcription } from "@parlance/speech";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import type { Config } from "../config/config.ts";
import { settingsInForce } from "../config/effective-settings.ts";
import { plansOf } from "../config/plans.ts";
import { asrRoutes } from "../dialects/fish/asr.ts";
import { serveLive } from "../dialects/fish/live/sockets.ts";
import { modelRoutes } from "../dialects/fish/model.ts";
import { modelFormRoutes } from "../dialects/fish/model-forms.ts";
import { type StreamTimeouts, ttsRoutes } from "../dialects/fish/tts.ts";
import { admit } from "../http/admission.ts";
import { ARRIVAL_MS, limitArrivalTime } from "../http/arrival-time.ts";
import { parseBodies } from "../http/bodies.ts";
import { answerUnreadable } from "../http/client-errors.ts";
import { limitConnections } from "../http/connections.ts";
import { allowOrigins } from "../http/cors.ts";
import { answer, answerErrors } from "../http/errors.ts";
import { addCommonHeaders, createCommonHeaders } from "../http/headers.ts";
import { createIdentify } from "../http/identify.ts";
import { SMALL_BODY } from "../http/input.ts";
import { lingerAfterRefusals } from "../http/linger.ts";
import { collapseSlashes } from "../http/paths.ts";
import { createRunning, endConnectionsWhenDraining, type Running } from "../http/running.ts";
import { createSessionCookie } from "../http/session-cookie.ts";
import type { UploadTimeouts } from "../http/uploads/receive.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { adminSystemRoutes } from "../routes/admin-system.ts";
import { adminWalletRoutes } from "../routes/admin-wallet.ts";
import { dashboardRoutes } from "../routes/dashboard.ts";
import { docsRoutes } from "../routes/docs.ts";
import { healthRoutes } from "../routes/health.ts";
import { identityRoutes } from "../routes/identity.ts";
import { metricsRoutes } from "../routes/metrics.ts";
import { optionsRoute } from "../routes/options.ts";
import { traceRoutes } from "../routes/traces.ts";
import { usageRoutes } from "../routes/usage.ts";
import { walletRoutes } from "../routes/wallet.ts";
import { createMetering } from "../services/billing/metering.ts";
import { createWalletService } from "../services/billing/wallet.ts";
import { createNode, type NodeOptions } from "../services/cluster/node.ts";
import { createCanaries } from "../services/health/engine-checks.ts";
import { createHealth } from "../services/health/health.ts";
import { createSystem } from "../services/health/system.ts";
import { createIdentity } from "../services/identity/identity.ts";
import { createLimits } from "../services/limits/limits.ts";
import { createLimitsBook } from "../services/limits/shared-quota-counter.ts";
import { createSynthesis } from "../services/speech/synthesis.ts";
import { createRecordingWriter } from "../services/speech/transcribe-stored.ts";
import { createTranscriptionService } from "../services/speech/transcription.ts";
import { createUploadFolder } from "../services/speech/upload-folder.ts";
import { createUsage } from "../services/usage/usage.ts";
import { type ReportRequest, reportUsage } from "../services/usage/usage-report.ts";
import { createVoiceCreation } from "../services/voices/creation.ts";
import { noCloning } from "../services/voices/no-cloning.ts";
import { createOneOffVoices } from "../services/voices/one-off-voices.ts";
import { createVoiceWork } from "../services/voices/refinement-jobs.ts";
import { requireCloning } from "../services/voices/require-cloning.ts";
import { createVoiceSamples } from "../services/voices/samples.ts";
import { createVoiceCounts } from "../services/voices/use-counts.ts";
import { createVoiceService } from "../services/voices/voices.ts";
import type { Store } from "../stores/store.ts";
import { createEngineEvents, type EngineEvents } from "../telemetry/engine-events.ts";
import type { Log } from "../telemetry/log.ts";
import { createRequestRecord, logRequests } from "../telemetry/request-log.ts";
import { traceRequests } from "../telemetry/request-trace.ts";
import { traceIdOf } from "../telemetry/trace.ts";
import type { TraceExport } from "../telemetry/trace-export.ts";
import { createTraceStore } from "../telemetry/trace-store.ts";
import { createTracer } from "../telemetry/tracer.ts";
import { watchTranscription } from "../telemetry/watch-transcription.ts";

export interface AppParts {
  readonly config: Config;
  readonly speech: Speech;
  readonly transcription: Transcription;
  /** Left out: no voices can be made, only spoken with. */
  readonly cloning?: Cloning | undefined;
  readonly store: Store;
  readonly log: Log;
  /** The built web app. */
  readonly dashboard?: string | undefined;
  readonly timeouts?: StreamTimeouts;
  readonly uploadTimeouts?: UploadTimeouts;
  /** How long the head of a request may take. */
  readonly headMs?: number;
  /** How often the peers of live sockets are asked whether they are there. */
  readonly pingMs?: number;
  /** How often the database is asked whether somebody who is here was disabled elsewhere. */
  readonly disabledPollMs?: number;
  /** How this process says that it lives, and when others are dead. */
  readonly node?: Pick<NodeOptions, "beatMs" | "silentMs">;
  /** Where engines say what they do. Left out: nothing is known of it but what passes through here. */
  readonly events?: EngineEvents | undefined;
  /** Off: engines that are there are taken to work, and are asked for nothing but what callers ask for. */
  readonly canaries?: "on" | "off";
  /** Where spans are sent. Left out: nowhere. */
  readonly traceExport?: TraceExport | undefined;
}

export interface App {
  readonly http: FastifyInstance;
  readonly running: Running;
  readonly metrics: Metrics;
}

/** A long text is read aloud slowly by a player that follows it: minutes may pass between two reads. */
const TIMEOUTS: StreamTimeouts = { engineTimeoutMs: 60_000, readerTimeoutMs: 300_000 };

/** A recording of the largest size comes through a line of half a megabit in this time. */
const UPLOAD_TIMEOUTS: UploadTimeouts = { idleMs: 30_000, totalMs: 360_000 };

export const VERSION = String(createRequire(import.meta.url)("../../package.json").version);

/** Puts the parts together. Nothing listens yet. */
export function buildApp(parts: AppParts): App {
  const { config, speech, cloning = noCloning, store, log, dashboard, timeouts = TIMEOUTS, pingMs } = parts;
  const { events = createEngineEvents() } = parts;
  const commonHeaders = createCommonHeaders(config);
  const logger: FastifyBaseLogger = log;
  const http: FastifyInstance = fastify({
    loggerInstance: logger,
    genReqId: (request) => traceIdOf(request.headers.traceparent),
    requestIdHeader: false,
    // Nobody else is believed when he says for whom he asks.
    trustProxy: config.trustProxy === undefined ? false : [...config.trustProxy],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    rewriteUrl: (request) => collapseSlashes(request.url ?? "/"),
    // The very last resort: requests have their own times, see `limitArrivalTime` and the uploads.
    requestTimeout: UPLOAD_TIMEOUTS.totalMs + ARRIVAL_MS,
    // Routes that take more say so.
    ...SMALL_BODY,
    http: {
      // A head that trickles in, or never comes, is given up this soon; the check itself is only made now and then.
      headersTimeout: parts.headMs ?? ARRIVAL_MS,
      connectionsCheckingInterval: Math.min(5_000, parts.headMs ?? ARRIVAL_MS),
      maxHeaderSize: 16 * 1024,
    },
    // Draining is answered by our own hook, with a body of the documented form.
    return503OnClosing: false,
    clientErrorHandler: answerUnreadable(commonHeaders),
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders(request.id));
      answer(error, request, reply);
    },
  });
  const running = createRunning();
  const identity = createIdentity(store, log, { pollMs: parts.disabledPollMs });
  const { publicUrl } = config;
  const cookie = createSessionCookie(publicUrl);
  const identify = createIdentify({ ...identity, cookie, publicUrl });
  const plans = plansOf(config);
  const node = createNode(store, { log, ...parts.node });
  const wallets = createWalletService(store, plans);
  const metering = createMetering({ store, node, plans, prices: config.prices, log });
  const book = createLimitsBook(store, node.id);
  const limits = createLimits({ plans, book, waitMs: config.waitMs });
  const usage = createUsage(store, { onFault: (err) => log.warn({ err }, "what was used was not written yet") });
  const canaries =
    parts.canaries === "off"
      ? undefined
      : createCanaries({ ...parts, events, times: { everyMs: config.canarySeconds * 1000 } });
  const health = createHealth({ speech, ping: store.ping, running, canaries, log });
  const metrics = createMetrics({ ...parts, events, version: VERSION, running, health: health.report });
  const record = createRequestRecord(usage.record, metrics.request);
  const uploads = createUploadFolder(config.data);
  const transcription = createTranscriptionService(watchTranscription(parts.transcription, events));
  const transcribe = createRecordingWriter(transcription, () => parts.transcription.engines().length > 0, uploads);
  const work = createVoiceWork({ store, node, cloning, transcribe, log });
  const voices = createVoiceService({
    store,
    speech,
    onRemoved: work.forget,
    onEngineMissing: () => requireCloning(cloning),
  });
  const creation = createVoiceCreation({ store, cloning, onCreated: work.poke });
  const oneOffs = createOneOffVoices({ cloning, uploads });
  const counts = createVoiceCounts(store, (err) => log.warn({ err }, "how often voices are used was not written"));
  const samples = createVoiceSamples({ store, speech, voices });
  const { maxTextCharacters } = config;
  const synthesis = createSynthesis({ speech, voices, oneOffs, counts, maxTextCharacters });

  const traces = createTraceStore(config.traces);
  const tracer = createTracer({ store: traces, sink: parts.traceExport });

  const admission = { identify, limits, presence: identity.presence, running };

  addCommonHeaders(http, commonHeaders);
  logRequests(http, record);
  traceRequests(http, tracer);
  allowOrigins(http, config.corsOrigins);
  endConnectionsWhenDraining(http, running);
  limitArrivalTime(http);
  limitConnections(http.server, config.maxConnections, log);
  lingerAfterRefusals(http);
  answerErrors(http);
  parseBodies(http);
  http.register(async (scope) => {
    admit(scope, admission);
    ttsRoutes(scope, { speech, synthesis, metering, running, timeouts });
  });
  http.register(async (scope) => {
    admit(scope, admission);
    await asrRoutes(scope, {
      transcription,
      metering,
      uploads,
      running,
      timeouts: parts.uploadTimeouts ?? UPLOAD_TIMEOUTS,
    });
  });
  identityRoutes(http, { identity, identify, cookie, publicUrl });
  walletRoutes(http, { wallets, identify });
  adminWalletRoutes(http, { wallets, identify });
  const system = createSystem({
    speech,
    transcription: parts.transcription,
    version: VERSION,
    database: config.databaseUrl === undefined ? "sqlite" : "postgresql",
    settings: [...settingsInForce(config)],
    running,
  });
  adminSystemRoutes(http, { system, identify });
  const report = async (wanted: ReportRequest) => {
    await usage.flush();
    return reportUsage(store, wanted);
  };
  usageRoutes(http, { accounts: identity.accounts, identify, report });
  traceRoutes(http, { identify, traces });
  const uploadTimeouts = parts.uploadTimeouts ?? UPLOAD_TIMEOUTS;
  modelFormRoutes(http, {
    voices,
    creation,
    uploads,
    admission,
    identify,
    running,
    timeouts: uploadTimeouts,
    publicUrl,
  });
  const coverOf = (voiceId: string) => store.voiceBlobs.find(voiceId, "cover");
  modelRoutes(http, { voices, samples, coverOf, identify, running, publicUrl });
  healthRoutes(http, health);
  if (config.metricsPort === undefined) metricsRoutes(http, { metrics, identify, key: config.metricsKey });
  docsRoutes(http);
  dashboardRoutes(http, dashboard);
  optionsRoute(http);
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
    pingMs,
    ...timeouts,
  });
  http.addHook("onReady", () => uploads.sweep());
  http.addHook("onReady", () => node.start());
  http.addHook("onReady", async () => canaries?.start());
  http.addHook("onClose", async () => {
    await work.close();
    await metering.close();
    await node.close();
  });
  http.addHook("onClose", () => uploads.close());
  http.addHook("onClose", () => limits.close());
  http.addHook("onClose", () => usage.close());
  http.addHook("onClose", async () => system.close());
  http.addHook("onClose", async () => metrics.close());
  http.addHook("onClose", () => counts.close());
  http.addHook("onClose", async () => identity.presence.close());
  http.addHook("onClose", async () => parts.traceExport?.close());
  // An open socket would keep the server from closing.
  http.addHook("preClose", async () => running.drain());
  http.addHook("preClose", async () => samples.close());
  http.addHook("preClose", async () => canaries?.close());
  return { http, running, metrics };
}
