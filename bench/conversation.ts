/**
 * npm run bench -- conversation [--interruptions N]: somebody speaks while an answer is spoken (barge-in), over WS /v1/realtime with
 * real engines. Recordings are played in at the pace of speech; the language model is a script.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLog, readConfig, startServer } from "@parlance/server";
import { connectConversation, update, userText } from "../packages/server/src/testing/conversation-client.ts";
import { startScriptedModel } from "../packages/server/src/testing/scripted-model.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { concatSamples } from "../packages/speech/src/testing/signals.ts";
import { loadRecordings, type Recording, sampleRate } from "./asr-recordings.ts";
import { median, round } from "./statistics.ts";

const CHUNK_SECONDS = 0.04;
/** The answer is played for this long before somebody speaks. The microphone is open meanwhile, as it is in a conversation. */
const PLAYED_SECONDS = 1;
/** Two workers load their models in this time. */
const LOADING_MS = 5_000;
/** Long enough that it is still being made then. */
const answer = Array.from({ length: 20 }, (_, index) => `This is sentence number ${index + 1} of a long answer.`).join(
  " ",
);

interface Interruption {
  /** From the first sound of the interruption to the event at which a client stops its player. */
  readonly detectedMs: number;
  /** From that event to the last audio of the answer; 0 where none came after it. */
  readonly audioAfterMs: number;
  /** From that event to the end of the response. */
  readonly endedMs: number;
}

export async function benchConversation(options: readonly string[]): Promise<unknown> {
  const count = Number(options[options.indexOf("--interruptions") + 1 || options.length] ?? 10);
  const { recordings } = await loadRecordings();
  const models = await testModels("kokoro-q8", "silero-vad", "moonshine-base", "whisper-base");
  const data = mkdtempSync(join(tmpdir(), "parlance-bench-"));
  const model = await startScriptedModel(() => [{ text: answer }]);
  const settings = { data, cloning: "off", llmUrl: model.url, requestsPerMinute: 0 } as const;
  const config = { ...readConfig({}).config, port: 0, workers: 1, ...settings };
  const server = await startServer({ config, models, engines: ["kokoro"], log: createLog("silent") });
  try {
    const measured: Interruption[] = [];
    // The models are loaded for the first one, which is not counted, and still while the next one would begin.
    for (let number = 0; number <= count; number++) {
      const recording = recordings[number % recordings.length];
      if (!recording) break;
      const interruption = await interrupt(server.url, server.bootstrap.freshKey ?? "", recording);
      if (number > 0) measured.push(interruption);
      else await sleep(LOADING_MS);
    }
    const of = (key: keyof Interruption): readonly number[] => measured.map((each) => each[key]);
    const figures = [
      {
        interruptions: measured.length,
        "barge-in detected after ms, median": round(median(of("detectedMs"))),
        "barge-in detected after ms, longest": round(Math.max(...of("detectedMs"))),
        "audio after that ms, longest": round(Math.max(...of("audioAfterMs"))),
        "response ended after that ms, longest": round(Math.max(...of("endedMs"))),
      },
    ];
    console.table(figures);
    return figures;
  } finally {
    await server.close();
    await model.close();
    rmSync(data, { recursive: true });
  }
}

async function interrupt(url: string, key: string, { samples }: Recording): Promise<Interruption> {
  const client = await connectConversation(url, { authorization: `Bearer ${key}` });
  const turn_detection = { type: "server_vad", create_response: false };
  client.send(update({}, { transcription: { language: "en" }, turn_detection }));
  client.send(userText("Tell me something."), { type: "response.create" });
  await client.upTo("response.output_audio.delta");
  const times = { detected: 0, lastAudio: 0, startMs: 0 };
  client.socket.on("message", (message: Buffer) => {
    const { type, audio_start_ms: startMs } = JSON.parse(message.toString("utf8"));
    if (type === "input_audio_buffer.speech_started") {
      times.detected = performance.now();
      times.startMs = startMs;
    }
    if (type === "response.output_audio.delta") times.lastAudio = performance.now();
  });
  const playing = new AbortController();
  const began = performance.now();
  const silence = new Float32Array(PLAYED_SECONDS * sampleRate);
  const speaking = speak(client.send, concatSamples([silence, samples]), began, playing.signal);
  await client.upTo("response.done");
  const ended = performance.now();
  playing.abort();
  await speaking;
  await client.close();
  return {
    detectedMs: times.detected - began - times.startMs,
    audioAfterMs: Math.max(0, times.lastAudio - times.detected),
    endedMs: ended - times.detected,
  };
}

/** Sends a recording at the pace of speech. A chunk is sent when its last sample was spoken. */
async function speak(
  send: (message: object) => void,
  samples: Float32Array,
  began: number,
  signal: AbortSignal,
): Promise<void> {
  const chunk = CHUNK_SECONDS * sampleRate;
  for (let at = 0; at < samples.length && !signal.aborted; at += chunk) {
    await sleep(Math.max(0, began + ((at + chunk) / sampleRate) * 1000 - performance.now()));
    const pcm = Int16Array.from(samples.subarray(at, at + chunk), (sample) => Math.round(sample * 32_767));
    send({ type: "input_audio_buffer.append", audio: Buffer.from(pcm.buffer).toString("base64") });
  }
}
