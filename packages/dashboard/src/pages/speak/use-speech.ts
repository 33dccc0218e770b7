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
  /** Set when the response is complete. */
  readonly doneMs?: number;
}

export const SAMPLE_RATE = 44_100;

/** Requests speech and plays it while it arrives. */
export function useSpeech() {
  const [player, setPlayer] = useState<StreamPlayer>();
  const [words, setWords] = useState<readonly TimedWord[]>([]);
  const [metrics, setMetrics] = useState<SpeechMetrics>();
  const [spokenRequest, setSpokenRequest] = useState<TtsRequestInput>();
  const current = useRef<StreamPlayer>(undefined);
  useEffect(() => () => current.current?.close(), []);

  const action = useAction(async (signal, request: TtsRequestInput) => {
    current.current?.close();
    // Created in the click handler: otherwise the browser blocks the playback.
    const newPlayer = createStreamPlayer(SAMPLE_RATE);
    current.current = newPlayer;
    setPlayer(newPlayer);
    setWords([]);
    setMetrics(undefined);
    setSpokenRequest(request);
    const startedAt = performance.now();
    const stream = await client.tts.streamWithTimestamps(
      { ...request, format: "pcm", sample_rate: SAMPLE_RATE },
      { signal },
    );
    const chunks = new Map<number, readonly TimedWord[]>();
    let firstAudioMs: number | undefined;
    for await (const part of stream) {
      if (part.audio.length > 0) newPlayer.push(fromPcm(part.audio));
      if (part.alignment) {
        chunks.set(part.chunk_seq, wordsOf(part));
        setWords([...chunks.values()].flat());
      }
      if (part.audio.length > 0 && firstAudioMs === undefined) {
        firstAudioMs = performance.now() - startedAt;
        setMetrics({ firstAudioMs, traceId: stream.traceId });
      }
    }
    newPlayer.end();
    const doneMs = performance.now() - startedAt;
    setMetrics({ firstAudioMs: firstAudioMs ?? doneMs, traceId: stream.traceId, doneMs });
  });
  const stop = useCallback(() => {
    action.cancel();
    current.current?.end();
    current.current?.pause();
  }, [action.cancel]);
  return {
    player,
    words,
    metrics,
    request: spokenRequest,
    speak: action.run,
    stop,
    busy: action.busy,
    error: action.error,
  };
}

function wordsOf({ alignment, chunk_audio_offset_sec: offset }: TimedAudio): readonly TimedWord[] {
  return (alignment?.segments ?? []).map(({ text, start, end }) => ({
    text,
    start: offset + start,
    end: offset + end,
  }));
}
