import { createHash } from "node:crypto";
import { Parlance } from "@parlance/client";
import { creditsForText, creditsForTranscription } from "@parlance/protocol";
import { randomText } from "../load/traffic.ts";
import { type Body, type Check, post, type Target } from "./post.ts";
import type { Result } from "./results.ts";

export type ClientAction = (random: () => number) => Promise<Result & { readonly retryAfter?: number }>;

const JSON_TYPE = "application/json";
/** One in this many requests is aborted by the client. */
const ABORT_ONE_IN = 6;

/** The kinds of traffic, each with its number of clients. */
export function createClients(
  target: Target,
  recording: Recording,
): readonly { readonly action: ClientAction; readonly clients: number }[] {
  const checkAudio = createAudioCheck();
  const abortAfterMs = (random: () => number) =>
    random() < 1 / ABORT_ONE_IN ? Math.round(20 + random() * 1500) : undefined;

  const speak: ClientAction = async (random) => {
    const text = randomText(random);
    const format = pick(["pcm", "mp3", "opus", "wav"], random);
    const body = JSON.stringify({ text, format, seed: 7 });
    const check: Check = (bytes) => checkAudio(`${format} ${text}`, bytes);
    return post(target, {
      kind: "tts",
      path: "/v1/tts",
      type: JSON_TYPE,
      body,
      price: creditsForText(text),
      abortAfterMs: abortAfterMs(random),
      check,
    });
  };

  const speakWithTimes: ClientAction = async (random) => {
    const text = randomText(random);
    const body = JSON.stringify({ text, format: "pcm", seed: 7 });
    const check: Check = (bytes) => {
      const events = bytes
        .toString()
        .split("\n\n")
        .filter((event) => event !== "");
      const audio = events.map((event) => Buffer.from(JSON.parse(event.slice("data: ".length)).audio_base64, "base64"));
      // The same samples as from the route without timestamps.
      return checkAudio(`pcm ${text}`, Buffer.concat(audio));
    };
    return post(target, {
      kind: "timestamps",
      path: "/v1/tts/stream/with-timestamp",
      type: JSON_TYPE,
      body,
      price: creditsForText(text),
      abortAfterMs: abortAfterMs(random),
      check,
    });
  };

  const transcribe: ClientAction = async (random) => {
    const body = new FormData();
    body.set("audio", new Blob([recording.wav]), "recording.wav");
    body.set("language", "en");
    const check: Check = (bytes) =>
      /harbour|harbor/i.test(JSON.parse(bytes.toString()).text)
        ? undefined
        : `wrong transcript: ${bytes.toString().slice(0, 100)}`;
    return post(target, {
      kind: "asr",
      path: "/v1/asr",
      body,
      price: creditsForTranscription(recording.seconds),
      abortAfterMs: abortAfterMs(random),
      check,
    });
  };

  return [
    { action: speak, clients: 4 },
    { action: speakWithTimes, clients: 1 },
    { action: createLiveClient(target), clients: 2 },
    { action: transcribe, clients: 1 },
    { action: createVoiceClient(target, recording), clients: 1 },
  ];
}

export interface Recording {
  readonly wav: Uint8Array<ArrayBuffer>;
  readonly seconds: number;
}

/** Checks that the same text with the same seed gives exactly the same audio. */
function createAudioCheck(): (what: string, bytes: Buffer) => string | undefined {
  const hashes = new Map<string, string>();
  return (what, bytes) => {
    if (bytes.length === 0) return "no audio";
    // Opus files contain a random serial number.
    const hash = what.startsWith("opus") ? "" : createHash("sha256").update(bytes).digest("hex");
    const known = hashes.get(what) ?? hash;
    hashes.set(what, known);
    return known === hash ? undefined : `other audio than before for the same text (${bytes.length} bytes)`;
  };
}

/** Sends text in pieces, one round per socket. The client aborts some of them. */
function createLiveClient(target: Target): ClientAction {
  const client = new Parlance({ baseUrl: target.url, apiKey: target.key });
  return async (random) => {
    const text = randomText(random);
    const aborts = random() < 1 / ABORT_ONE_IN;
    const result = { kind: "live", traceId: undefined, price: creditsForText(text) } as const;
    try {
      const live = await client.live.connect();
      try {
        const round = live.round({ format: "pcm", seed: 7 });
        round.speak(text.split(/(?<= )/));
        let bytes = 0;
        for await (const { audio } of round) {
          bytes += audio.length;
          if (aborts && random() < 0.2) return { ...result, outcome: "aborted" };
        }
        return bytes > 0 ? { ...result, outcome: "complete" } : { ...result, outcome: "failed", about: "no audio" };
      } finally {
        await live.close();
      }
    } catch (error) {
      const about = error instanceof Error ? error.message : String(error);
      const busy = /retry in (\d+) s/.exec(about);
      if (busy) return { ...result, outcome: "refused", retryAfter: Number(busy[1]) };
      // A round whose worker was killed ends with an internal error.
      return { ...result, outcome: /internal|went wrong/i.test(about) ? "interrupted" : "failed", about };
    }
  };
}

/** Creates, updates, reads, uses and deletes a voice. */
function createVoiceClient(target: Target, recording: Recording): ClientAction {
  const once = (path: string, method: string, body: Body | undefined, check: Check, type?: string) =>
    post(target, {
      kind: "voices",
      path,
      method,
      check,
      ...(body === undefined ? {} : { body }),
      ...(type === undefined ? {} : { type }),
    });
  return async (random) => {
    const form = new FormData();
    form.set("title", `Soak ${Math.floor(random() * 1000)}`);
    form.set("visibility", "private");
    form.set("train_mode", "fast");
    form.set("type", "tts");
    form.append("voices", new Blob([recording.wav]), "voice.wav");
    let id = "";
    const created = await once("/model", "POST", form, (bytes) => {
      id = String(JSON.parse(bytes.toString())._id ?? "");
      return id === "" ? "no id" : undefined;
    });
    if (created.outcome !== "complete") return created;
    const expect =
      (title: string): Check =>
      (bytes) =>
        JSON.parse(bytes.toString()).title === title ? undefined : "another title than was given";
    const speech = JSON.stringify({ text: "A voice of my own.", format: "pcm", seed: 1, reference_id: id });
    const hasAudio = (bytes: Buffer) => (bytes.length > 0 ? undefined : "no audio");
    const steps = [
      () => once(`/model/${id}`, "PATCH", JSON.stringify({ title: "Renamed" }), expect("Renamed"), JSON_TYPE),
      () => once(`/model/${id}`, "GET", undefined, expect("Renamed")),
      () => once("/v1/tts", "POST", speech, hasAudio, JSON_TYPE),
    ];
    let last: Result & { readonly retryAfter?: number } = created;
    for (const step of steps) {
      last = await step();
      if (last.outcome === "failed") break;
    }
    const deleted = await once(`/model/${id}`, "DELETE", undefined, () => undefined);
    return last.outcome === "failed" ? last : deleted;
  };
}

function pick<Value>(values: readonly [Value, ...Value[]], random: () => number): Value {
  return values[Math.floor(random() * values.length)] ?? values[0];
}
