import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ListeningEvent, ListeningRequest } from "../listening.ts";
import type { Transcription } from "../transcript.ts";
import { bytesOf } from "./burst-workers.ts";
import { decodeAudio } from "./decode-audio.ts";
import type { RealSpeech } from "./real-speech.ts";
import { concatSamples } from "./signals.ts";

export const LIVE_FORMAT = { encoding: "pcm_s16le", sampleRate: 16_000 } as const;
const FRAME_SAMPLES = 1_600;

/** Plays audio to a listener as fast as it is taken. */
export async function transcribeLive(
  transcription: Pick<Transcription, "listen">,
  samples: Float32Array,
  request: Partial<ListeningRequest>,
  onEvent: (event: ListeningEvent) => void = () => {},
) {
  const listening = await transcription.listen({ format: LIVE_FORMAT, ...request }, new AbortController().signal);
  const events: ListeningEvent[] = [];
  const reading = (async () => {
    for await (const event of listening) {
      onEvent(event);
      events.push(event);
    }
  })();
  reading.catch(() => {});
  const pcm = Int16Array.from(samples, (sample) => Math.round(sample * 32767));
  for (let at = 0; at < pcm.length; at += FRAME_SAMPLES) {
    listening.push(bytesOf(pcm.slice(at, at + FRAME_SAMPLES)));
    while (listening.isFull) await sleep(5);
  }
  listening.end();
  await reading;
  return { events, finals: events.filter((event) => event.type === "final") };
}

/** The samples of a recording, and silence that ends its turn. */
export function spokenSamples(clip: RealSpeech | undefined): Float32Array {
  assert.ok(clip);
  return concatSamples([decodeAudio(readFileSync(clip.path)).samples, new Float32Array(1.5 * LIVE_FORMAT.sampleRate)]);
}
