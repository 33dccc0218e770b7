import { createHash } from "node:crypto";
import { Parlance } from "@parlance/client";
import { creditsForText, creditsForTranscription } from "@parlance/protocol";
import { someText } from "../load/traffic.ts";
import type { Note } from "./notes.ts";
import { type Body, type Check, post, type Target } from "./post.ts";

export type Act = (random: () => number) => Promise<Note & { readonly retryAfter?: number }>;

const JSON_TYPE = "application/json";
/** One in so many leaves before the end. */
const LEAVERS = 6;

/** What the traffic is made of, each with how many clients do it over and over. */
export function createClients(
  target: Target,
  recording: Recording,
): readonly { readonly act: Act; readonly clients: number }[] {
  const seen = createSeen();
  const leaveAfterMs = (random: () => number) =>
    random() < 1 / LEAVERS ? Math.round(20 + random() * 1500) : undefined;

  const speak: Act = async (random) => {
    const text = someText(random);
    const format = pick(["pcm", "mp3", "opus", "wav"], random);
    const body = JSON.stringify({ text, format, seed: 7 });
    const check: Check = (bytes) => seen(`${format} ${text}`, bytes);
    return post(target, {
      kind: "tts",
      path: "/v1/tts",
      type: JSON_TYPE,
      body,
      price: creditsForText(text),
      leaveAfterMs: leaveAfterMs(random),
      check,
    });
  };

  const speakWithTimes: Act = async (random) => {
    const text = someText(random);
    const body = JSON.stringify({ text, format: "pcm", seed: 7 });
    const check: Check = (bytes) => {
      const events = bytes
        .toString()
        .split("\n\n")
        .filter((event) => event !== "");
      const audio = events.map((event) => Buffer.from(JSON.parse(event.slice("data: ".length)).audio_base64, "base64"));
      // The same samples as the plain route, whoever asked first.
      return seen(`pcm ${text}`, Buffer.concat(audio));
    };
    return post(target, {
      kind: "timestamps",
      path: "/v1/tts/stream/with-timestamp",
      type: JSON_TYPE,
      body,
      price: creditsForText(text),
      leaveAfterMs: leaveAfterMs(random),
      check,
    });
  };

  const transcribe: Act = async (random) => {
    const body = new FormData();
    body.set("audio", new Blob([recording.wav]), "recording.wav");
    body.set("language", "en");
    const check: Check = (bytes) =>
      /harbour|harbor/i.test(JSON.parse(bytes.toString()).text)
        ? undefined
        : `misheard: ${bytes.toString().slice(0, 100)}`;
    return post(target, {
      kind: "asr",
      path: "/v1/asr",
      body,
      price: creditsForTranscription(recording.seconds),
      leaveAfterMs: leaveAfterMs(random),
      check,
    });
  };

  return [
    { act: speak, clients: 4 },
    { act: speakWithTimes, clients: 1 },
    { act: createLiveClient(target), clients: 2 },
    { act: transcribe, clients: 1 },
    { act: createVoiceKeeper(target, recording), clients: 1 },
  ];
}

export interface Recording {
  readonly wav: Uint8Array<ArrayBuffer>;
  readonly seconds: number;
}

/** The same text with the same seed is the same audio to the last byte, whatever happened on the way. */
function createSeen(): (what: string, bytes: Buffer) => string | undefined {
  const hashes = new Map<string, string>();
  return (what, bytes) => {
    if (bytes.length === 0) return "no audio";
    // Opus files carry a number of their own in every page.
    const hash = what.startsWith("opus") ? "" : createHash("sha256").update(bytes).digest("hex");
    const known = hashes.get(what) ?? hash;
    hashes.set(what, known);
    return known === hash ? undefined : `other audio than before for the same text (${bytes.length} bytes)`;
  };
}

/** Text in pieces, one round for each socket, now and then cut off by the client. */
function createLiveClient(target: Target): Act {
  const client = new Parlance({ baseUrl: target.url, apiKey: target.key });
  return async (random) => {
    const text = someText(random);
    const leaves = random() < 1 / LEAVERS;
    const note = { kind: "live", traceId: undefined, price: creditsForText(text) } as const;
    try {
      const live = await client.live.connect();
      try {
        const round = live.round({ format: "pcm", seed: 7 });
        round.speak(text.split(/(?<= )/));
        let bytes = 0;
        for await (const { audio } of round) {
          bytes += audio.length;
          if (leaves && random() < 0.2) return { ...note, outcome: "left" };
        }
        return bytes > 0 ? { ...note, outcome: "whole" } : { ...note, outcome: "broken", about: "no audio" };
      } finally {
        await live.close();
      }
    } catch (error) {
      const about = error instanceof Error ? error.message : String(error);
      const busy = /come back in (\d+) s/.exec(about);
      if (busy) return { ...note, outcome: "refused", retryAfter: Number(busy[1]) };
      // A round whose worker died ends with an error that says so.
      return { ...note, outcome: /internal|went wrong/i.test(about) ? "cut" : "broken", about };
    }
  };
}

/** Makes a voice, looks at it, changes it, speaks with it, deletes it. */
function createVoiceKeeper(target: Target, recording: Recording): Act {
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
    const made = await once("/model", "POST", form, (bytes) => {
      id = String(JSON.parse(bytes.toString())._id ?? "");
      return id === "" ? "no id" : undefined;
    });
    if (made.outcome !== "whole") return made;
    const expect =
      (title: string): Check =>
      (bytes) =>
        JSON.parse(bytes.toString()).title === title ? undefined : "another title than was given";
    const say = JSON.stringify({ text: "A voice of my own.", format: "pcm", seed: 1, reference_id: id });
    const said = (bytes: Buffer) => (bytes.length > 0 ? undefined : "no audio");
    const steps = [
      () => once(`/model/${id}`, "PATCH", JSON.stringify({ title: "Renamed" }), expect("Renamed"), JSON_TYPE),
      () => once(`/model/${id}`, "GET", undefined, expect("Renamed")),
      () => once("/v1/tts", "POST", say, said, JSON_TYPE),
    ];
    let last: Note & { readonly retryAfter?: number } = made;
    for (const step of steps) {
      last = await step();
      if (last.outcome === "broken") break;
    }
    const deleted = await once(`/model/${id}`, "DELETE", undefined, () => undefined);
    return last.outcome === "broken" ? last : deleted;
  };
}

function pick<Value>(values: readonly [Value, ...Value[]], random: () => number): Value {
  return values[Math.floor(random() * values.length)] ?? values[0];
}
