import { connectJson, type JsonSocket } from "../packages/server/src/testing/json-socket.ts";
import { burstSamples, wavFile } from "../packages/server/src/testing/wav-file.ts";
import { startBenchServer } from "./server-handle.ts";
import { median, quantile, round } from "./statistics.ts";

const RUNS = 200;
const WARM_UP = 30;
const text = "Good morning. How can I help you today?";
const recording = wavFile(burstSamples(2, [{ start: 0.5, end: 1, level: 40 }]), 16_000);

interface Timing {
  readonly firstMs: number;
  readonly totalMs: number;
}
type Call = () => Promise<Timing>;

/**
 * What a dialect adds to the time to first audio and to the whole response of `/v1/tts`, and to the transcript of `/v1/asr`,
 * with engines that take no time. The routes take turns, so that load on the machine affects all of them alike.
 */
export async function benchDialects(): Promise<unknown> {
  const server = await startBenchServer({ speech: "tone" });
  const authorization = `Bearer ${server.key}`;
  const socketPath = "/v1/text-to-speech/tone-one/multi-stream-input?output_format=pcm_24000";
  const socket = await connectJson(server.url + socketPath, { authorization });
  const post =
    (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Call =>
    () => {
      const json = { authorization, "content-type": "application/json", ...headers };
      return exchange(server.url + path, { headers: json, body: JSON.stringify(body) });
    };
  const upload =
    (path: string, field: string, fields: Readonly<Record<string, string>> = {}): Call =>
    () => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      body.append(field, new Blob([recording]));
      return exchange(server.url + path, { headers: { authorization }, body });
    };
  const openAi = { input: text, voice: "alloy", response_format: "pcm" };
  const speech: Readonly<Record<string, Call>> = {
    "native /v1/tts": post("/v1/tts", { text, format: "pcm", sample_rate: 24_000 }, { model: "s2-pro" }),
    "OpenAI, audio": post("/v1/audio/speech", openAi),
    "OpenAI, events": post("/v1/audio/speech", { ...openAi, stream_format: "sse" }),
    "ElevenLabs, stream": post("/v1/text-to-speech/tone-one/stream?output_format=pcm_24000", { text }),
    "ElevenLabs, socket": () => speakContext(socket),
  };
  const transcripts: Readonly<Record<string, Call>> = {
    "native /v1/asr": upload("/v1/asr", "audio"),
    "OpenAI, transcription": upload("/v1/audio/transcriptions", "file", { model: "whisper-1" }),
    "ElevenLabs, speech to text": upload("/v1/speech-to-text", "file", { model_id: "scribe_v1" }),
    Deepgram: () => exchange(`${server.url}/v1/listen`, { headers: { authorization }, body: recording }),
  };
  try {
    return { speech: await compare(speech), transcripts: await compare(transcripts) };
  } finally {
    await socket.close();
    await server.close();
  }
}

/** Runs the calls in turns. The first one is what the others are compared with. */
async function compare(calls: Readonly<Record<string, Call>>): Promise<unknown> {
  const timings = new Map(Object.keys(calls).map((name) => [name, { first: [] as number[], total: [] as number[] }]));
  for (let run = -WARM_UP; run < RUNS; run++) {
    for (const [name, call] of Object.entries(calls)) {
      const { firstMs, totalMs } = await call();
      if (run < 0) continue;
      timings.get(name)?.first.push(firstMs);
      timings.get(name)?.total.push(totalMs);
    }
  }
  const [base = { first: [], total: [] }] = timings.values();
  const rows = Object.fromEntries(
    [...timings].map(([name, { first, total }]) => [
      name,
      {
        "first ms": round(median(first), 2),
        "added ms": round(median(first) - median(base.first), 2),
        "added ms (p95)": round(quantile(first, 0.95) - quantile(base.first, 0.95), 2),
        "whole ms": round(median(total), 2),
        "added to the whole ms": round(median(total) - median(base.total), 2),
      },
    ]),
  );
  console.table(rows);
  return rows;
}

async function exchange(
  url: string,
  init: { readonly headers: Record<string, string>; readonly body: string | FormData | Uint8Array<ArrayBuffer> },
) {
  const start = performance.now();
  const response = await fetch(url, { method: "POST", ...init });
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  let firstMs = 0;
  for await (const _part of response.body) if (firstMs === 0) firstMs = performance.now() - start;
  return { firstMs, totalMs: performance.now() - start };
}

let contexts = 0;

/** One text on a socket that is open, as agents use it. */
async function speakContext(socket: JsonSocket): Promise<Timing> {
  const context_id = String(++contexts);
  const start = performance.now();
  socket.send({ text, context_id }, { context_id, close_context: true });
  let firstMs = 0;
  for (;;) {
    const message = await socket.next();
    if (typeof message === "number" || message.error !== undefined) throw new Error(JSON.stringify(message));
    if (firstMs === 0) firstMs = performance.now() - start;
    if (message.isFinal === true) return { firstMs, totalMs: performance.now() - start };
  }
}
