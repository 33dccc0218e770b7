import { type Config, ConfigError } from "../config/config.ts";
import { announce } from "../dialects/wyoming/announcement.ts";
import type { ConnectionParts } from "../dialects/wyoming/connection.ts";
import { listenForWyoming } from "../dialects/wyoming/listener.ts";
import { RECEIVE_TIMEOUT_MS } from "../http/receive-timeout.ts";
import { callerByName } from "../services/identity/named-account.ts";
import { logEvent } from "../telemetry/log-events.ts";
import type { ResolvedParts } from "./app-parts.ts";
import type { Services } from "./services.ts";
import { VERSION } from "./version.ts";

export type StartWyoming = () => Promise<RunningWyoming | undefined>;

export interface RunningWyoming {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts the Wyoming port if the settings ask for it. */
export function createWyomingStart(services: Services, parts: ResolvedParts): StartWyoming {
  const { config, store, log } = parts;
  const { wyomingPort: port, wyomingHost: host, wyomingAccount: account } = config;
  return async () => {
    if (port === undefined) return undefined;
    if (account === undefined) throw new ConfigError("PARLANCE_WYOMING_PORT needs PARLANCE_WYOMING_ACCOUNT");
    const findCaller = () => callerByName(account, services.identity.accounts, store.users);
    // It may be created later, without a restart.
    await findCaller().catch((err: unknown) => logEvent(log, "wyoming.account-unusable", { err }));
    const listener = await listen({ ...connectionParts(services, parts), findCaller }, config);
    const announcement =
      config.wyomingAnnounce === "on"
        ? await announce(listener.port, {
            host,
            onFault: (err) => logEvent(log, "wyoming.announcement-failed", { err }),
          })
        : undefined;
    return {
      port: listener.port,
      async close() {
        await announcement?.close();
        await listener.close();
      },
    };
  };
}

function connectionParts(services: Services, parts: ResolvedParts): Omit<ConnectionParts, "findCaller"> {
  const { speech, config, log, timeouts } = parts;
  const { synthesis, transcription, metering, uploads, voices, limits, identity, activeRequests, record, tracer } =
    services;
  return {
    speech,
    synthesis,
    transcription,
    recognizers: parts.transcription,
    metering,
    uploads,
    voices,
    limits,
    disabledAccounts: identity.disabledAccounts,
    activeRequests,
    record,
    tracer,
    log,
    version: VERSION,
    idleMs: config.liveIdleSeconds * 1000,
    receiveMs: parts.wyomingReceiveMs ?? RECEIVE_TIMEOUT_MS,
    ...timeouts,
  };
}

async function listen(parts: ConnectionParts, config: Config) {
  const { wyomingHost: host, wyomingPort: port = 0, socketsPerAccount: maxConnections } = config;
  // One device of the network must not keep the others out.
  const maxConnectionsPerAddress = Math.ceil(maxConnections / 2);
  const limits = { maxConnections, maxConnectionsPerAddress, trustProxy: undefined };
  try {
    return await listenForWyoming(parts, { host, port, limits });
  } catch (error) {
    // The error names the setting: otherwise it would be taken for the port of the service.
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(`PARLANCE_WYOMING_PORT: cannot listen on port ${port} of ${host} (${code})`, { cause: error });
  }
}
