import { readConfig, type Store, startServer } from "@parlance/server";
import { fastify } from "fastify";
import { ttsRoutes } from "../packages/server/src/dialects/fish/tts/tts.ts";
import { createActiveRequests } from "../packages/server/src/http/active-requests.ts";
import { addBodyParsers } from "../packages/server/src/http/body-parsers.ts";
import { createFreeCharge } from "../packages/server/src/services/billing/charge.ts";
import { createSynthesis } from "../packages/server/src/services/speech/synthesis.ts";
import { logRequests } from "../packages/server/src/telemetry/request-log.ts";
import { createBurstTranscription } from "../packages/server/src/testing/burst-transcription.ts";
import { createToneSpeech } from "../packages/server/src/testing/tone-speech.ts";
import { BENCH_KEY } from "./accounts-services.ts";
import { quantile, round } from "./statistics.ts";

const WARM = 50;
const REQUESTS = 300;
const BODY = JSON.stringify({ text: "The harbour was quiet, and the last boat was in.", format: "pcm" });
/** Short enough for a single chunk. */
const TONE = { parts: 1, samplesPerPart: 48_000 };
const TIMEOUTS = { engineTimeoutMs: 60_000, readerTimeoutMs: 60_000 };

/** The whole server and its route alone, alternating: the difference is the cost of accounts. */
export async function benchRequests(store: Store): Promise<Record<string, Record<string, number>>> {
  const whole = await wholeServer(store);
  const bare = bareRoute(store);
  try {
    const urls = [whole.url, await bare.listen({ port: 0 })] as const;
    const took: readonly [number[], number[]] = [[], []];
    for (let index = 0; index < WARM + REQUESTS; index++) {
      for (const which of [0, 1] as const) {
        const ms = await speak(urls[which]);
        if (index >= WARM) took[which].push(ms);
      }
    }
    const of = (share: number) => {
      const [withAll, without] = [quantile(took[0], share), quantile(took[1], share)];
      return { with: round(withAll, 3), without: round(without, 3), difference: round(withAll - without, 3) };
    };
    return { p50: of(0.5), p95: of(0.95) };
  } finally {
    await whole.close();
    await bare.close();
  }
}

function wholeServer(store: Store) {
  const { config } = readConfig({ PARLANCE_PORT: "0", PARLANCE_REQUESTS_PER_MINUTE: "0", PARLANCE_LOG: "silent" });
  return startServer({ config, speech: createToneSpeech(TONE), transcription: createBurstTranscription(), store });
}

/** The route without authentication, limits and billing. */
function bareRoute(store: Store) {
  const http = fastify();
  const speech = createToneSpeech(TONE);
  const anonymous = { userId: "", keyId: undefined, role: "member", plan: "free" } as const;
  const metering = {
    priceOfText: () => 0,
    priceOfAudio: () => 0,
    reserve: async () => createFreeCharge(store),
    requireCredit: async () => {},
    close: async () => {},
  };
  logRequests(http, () => {});
  addBodyParsers(http);
  http.decorateRequest("caller", undefined);
  http.decorateRequest("place", undefined);
  http.addHook("onRequest", async (request) => {
    request.caller = anonymous;
  });
  const synthesis = createSynthesis({
    speech,
    voices: { resolve: () => Promise.reject(new Error("no voice is named here")) },
    oneOffs: { resolve: () => Promise.reject(new Error("no recordings are sent here")) },
    pronunciations: { of: async () => ({}) },
    counts: { add: () => {} },
    maxTextCharacters: 30_000,
  });
  const history = { recordSpeech: () => undefined };
  ttsRoutes(http, { speech, synthesis, metering, history, activeRequests: createActiveRequests(), timeouts: TIMEOUTS });
  return http;
}

async function speak(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}/v1/tts`, {
    method: "POST",
    headers: { authorization: `Bearer ${BENCH_KEY}`, model: "s2-pro", "content-type": "application/json" },
    body: BODY,
  });
  const body = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${response.status} ${Buffer.from(body).toString()}`);
  return performance.now() - start;
}
