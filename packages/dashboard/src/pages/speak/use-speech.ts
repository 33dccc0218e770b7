import type { TimedAudio, TtsRequestInput } from "@parlance/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { fromPcm } from "../../audio/samples.ts";
import type { TimedWord } from "../../audio/spoken-text.tsx";
import { createStreamPlayer, type StreamPlayer } from "../../audio/stream-player.ts";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";

export interface SpeechMetrics {
  readonly firstAudioMs: number;
  readonly traceId: string | undefined;
  /** Set when all of it is there. */
  readonly doneMs?: number;
}

export const SAMPLE_RATE = 44_100;

/** Speaks a text and plays it while it comes. */
export function useSpeech() {
  const [player, setPlayer] = useState<StreamPlayer>();
  const [words, setWords] = useState<readonly TimedWord[]>([]);
  const [metrics, setMetrics] = useState<SpeechMetrics>();
  const [asked, setAsked] = useState<TtsRequestInput>();
  const current = useRef<StreamPlayer>(undefined);
  useEffect(() => () => current.current?.close(), []);

  const action = useAction(async (signal, request: TtsRequestInput) => {
    current.current?.close();
    // Made in the click, or the browser would not let it sound.
    const fresh = createStreamPlayer(SAMPLE_RATE);
    current.current = fresh;
    setPlayer(fresh);
    setWords([]);
    setMetrics(undefined);
    setAsked(request);
    const begun = performance.now();
    const stream = await client.tts.streamWithTimestamps(
      { ...request, format: "pcm", sample_rate: SAMPLE_RATE },
      { signal },
    );
    const chunks = new Map<number, readonly TimedWord[]>();
    let firstAudioMs: number | undefined;
    for await (const part of stream) {
      if (part.audio.length > 0) fresh.push(fromPcm(part.audio));
      if (part.alignment) {
        chunks.set(part.chunk_seq, heard(part));
        setWords([...chunks.values()].flat());
      }
      if (part.audio.length > 0 && firstAudioMs === undefined) {
        firstAudioMs = performance.now() - begun;
        setMetrics({ firstAudioMs, traceId: stream.traceId });
      }
    }
    fresh.end();
    const doneMs = performance.now() - begun;
    setMetrics({ firstAudioMs: firstAudioMs ?? doneMs, traceId: stream.traceId, doneMs });
  });
  const stop = useCallback(() => {
    action.cancel();
    current.current?.end();
    current.current?.pause();
  }, [action.cancel]);
  return { player, words, metrics, request: asked, speak: action.run, stop, busy: action.busy, error: action.error };
}

function heard({ alignment, chunk_audio_offset_sec: offset }: TimedAudio): readonly TimedWord[] {
  return (alignment?.segments ?? []).map(({ text, start, end }) => ({
    text,
    start: offset + start,
    end: offset + end,
  }));
}
