import type { TimedAudio, TtsRequestInput } from "@parlance/client";
import { HISTORY_HEADER } from "@parlance/protocol";
import { useEffect } from "react";
import { fromPcm } from "../../audio/samples.ts";
import type { TimedWord } from "../../audio/spoken-pieces.ts";
import { createStreamPlayer, type StreamPlayer } from "../../audio/stream-player.ts";
import { client } from "../../lib/server.ts";
import { createStore } from "../../lib/store.ts";

export interface SpeechMetrics {
  readonly firstAudioMs: number;
  readonly traceId: string | undefined;
  /** The entry in the history, where speech is kept. */
  readonly historyId: string | undefined;
  /** Set when the response is complete. */
  readonly doneMs?: number;
}

export const SAMPLE_RATE = 44_100;

/** The latest speech. It has a player once there is something to hear. */
export interface SpeechState {
  readonly player: StreamPlayer | undefined;
  readonly text: string;
  readonly words: readonly TimedWord[];
  readonly metrics: SpeechMetrics | undefined;
  readonly busy: boolean;
  readonly error: unknown;
}

const NOTHING: SpeechState = {
  player: undefined,
  text: "",
  words: [],
  metrics: undefined,
  busy: false,
  error: undefined,
};

let running: AbortController | undefined;
const store = createStore(NOTHING, ({ player }) => {
  running?.abort();
  player?.close();
});

/** Requests speech and plays it while it arrives. The last speech stays until new speech begins. */
async function speak(request: TtsRequestInput): Promise<void> {
  running?.abort();
  const controller = new AbortController();
  running = controller;
  store.get().player?.pause();
  store.set({ busy: true, error: undefined });
  // Created in the click handler: otherwise the browser blocks the playback.
  const player = createStreamPlayer(SAMPLE_RATE);
  try {
    await play(request, player, controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) store.set({ error });
  } finally {
    if (store.get().player === player) player.end();
    else player.close();
    if (running === controller) store.set({ busy: false });
  }
}

async function play(request: TtsRequestInput, player: StreamPlayer, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const stream = await client.tts.streamWithTimestamps(
    { ...request, format: "pcm", sample_rate: SAMPLE_RATE },
    { signal },
  );
  const ids = { traceId: stream.traceId, historyId: stream.headers.get(HISTORY_HEADER) ?? undefined };
  const chunks = new Map<number, readonly TimedWord[]>();
  let firstAudioMs: number | undefined;
  for await (const part of stream) {
    // The audio of a chunk that was stopped may still arrive.
    signal.throwIfAborted();
    if (part.audio.length > 0) {
      player.push(fromPcm(part.audio));
      if (firstAudioMs === undefined) {
        firstAudioMs = performance.now() - startedAt;
        store.get().player?.close();
        store.set({ player, text: request.text, words: [], metrics: { firstAudioMs, ...ids } });
      }
    }
    if (part.alignment) {
      chunks.set(part.chunk_seq, wordsOf(part));
      store.set({ words: [...chunks.values()].flat() });
    }
  }
  const doneMs = performance.now() - startedAt;
  if (firstAudioMs === undefined) throw new Error("There is nothing to say in this text.");
  store.set({ metrics: { firstAudioMs, ...ids, doneMs } });
}

function stop(): void {
  running?.abort();
  store.get().player?.end();
  store.get().player?.pause();
}

export function useSpeech() {
  const state = store.use();
  useEffect(() => () => store.get().player?.pause(), []);
  return { ...state, speak, stop };
}

function wordsOf({ alignment, chunk_audio_offset_sec: offset }: TimedAudio): readonly TimedWord[] {
  return (alignment?.segments ?? []).map(({ text, start, end }) => ({
    text,
    start: offset + start,
    end: offset + end,
  }));
}
