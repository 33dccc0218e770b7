import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Speech, Transcription } from "@parlance/speech";
import { buildApp } from "../compose/app.ts";
import type { AppParts } from "../compose/app-parts.ts";
import { type Config, readConfig } from "../config/config.ts";
import type { ActiveRequests } from "../http/active-requests.ts";
import { bootstrap } from "../services/identity/bootstrap.ts";
import { createKeys, type Keys } from "../services/identity/keys.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import type { Store } from "../stores/store.ts";
import { createLog } from "../telemetry/log.ts";
import { createBurstTranscription } from "./burst-transcription.ts";
import { createToneSpeech } from "./tone-speech.ts";

export const TEST_KEY = "test-key-0123456789abcdef";

export interface TestServer {
  readonly url: string;
  /** Its data folder. */
  readonly folder: string;
  readonly store: Store;
  readonly keys: Keys;
  readonly adminId: string;
  readonly activeRequests: ActiveRequests;
  /** All log lines, as JSON. */
  readonly log: string[];
  post(body: unknown, init?: TestRequest): Promise<Response>;
  close(): Promise<void>;
}

export interface TestRequest {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly path?: string;
}

/** A real server on a free local port with a real database in a new folder. */
export async function startTestServer(
  options: {
    readonly speech?: Speech;
    readonly transcription?: Transcription;
    readonly config?: Partial<Config>;
    readonly parts?: Partial<AppParts>;
  } = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-test-"));
  const store = await openSqliteStore(folder);
  const { adminId } = await bootstrap(store, TEST_KEY);
  const log: string[] = [];
  const { http, activeRequests } = buildApp({
    config: { ...readConfig({}).config, data: folder, requestsPerMinute: 0, ...options.config },
    speech: options.speech ?? createToneSpeech(),
    transcription: options.transcription ?? createBurstTranscription(),
    store,
    log: createLog("info", { write: (line) => log.push(line) }),
    // Many tests count the requests that reach the engines.
    healthChecks: "off",
    ...options.parts,
  });
  const url = await http.listen({ host: "127.0.0.1", port: 0 });
  return {
    url,
    folder,
    store,
    keys: createKeys(store),
    adminId,
    activeRequests,
    log,
    post(body, { headers = {}, signal, path = "/v1/tts" } = {}) {
      const all = {
        authorization: `Bearer ${TEST_KEY}`,
        model: "s2-pro",
        "content-type": "application/json",
        ...headers,
      };
      return fetch(url + path, {
        method: "POST",
        headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
        body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      });
    },
    async close() {
      activeRequests.abortAll(new Error("the test is over"));
      http.server.closeAllConnections();
      await http.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
