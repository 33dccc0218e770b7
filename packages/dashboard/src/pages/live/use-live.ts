import type { LiveSession, TimedLiveFrame } from "@parlance/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { fromPcm } from "../../audio/samples.ts";
import type { TimedWord } from "../../audio/spoken-pieces.ts";
import { createStreamPlayer, type StreamPlayer } from "../../audio/stream-player.ts";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";

const SAMPLE_RATE = 44_100;

export interface LiveMetrics {
  /** From the first text sent to the first audio. */
  readonly firstAudioMs: number | undefined;
  readonly frames: number;
}

const NO_METRICS: LiveMetrics = { firstAudioMs: undefined, frames: 0 };

/** A live socket and the playback of its audio. */
export function useLive() {
  const [player, setPlayer] = useState<StreamPlayer>();
  const [words, setWords] = useState<readonly TimedWord[]>([]);
  const [sent, setSent] = useState("");
  const [spokenUpTo, setSpokenUpTo] = useState(0);
  const [metrics, setMetrics] = useState(NO_METRICS);
  const [traceId, setTraceId] = useState<string>();
  const session = useRef<LiveSession<TimedLiveFrame>>(undefined);
  const current = useRef<StreamPlayer>(undefined);
  const text = useRef("");
  const finished = useRef(false);
  const firstSentAt = useRef<number>(undefined);
  useEffect(() => () => current.current?.close(), []);

  const action = useAction(async (signal, voice: string) => {
    current.current?.close();
    const newPlayer = createStreamPlayer(SAMPLE_RATE);
    current.current = newPlayer;
    text.current = "";
    finished.current = false;
    firstSentAt.current = undefined;
    setPlayer(newPlayer);
    setWords([]);
    setSent("");
    setSpokenUpTo(0);
    setMetrics(NO_METRICS);
    const opened = await client.live(
      {
        timestamps: true,
        format: "pcm",
        sample_rate: SAMPLE_RATE,
        ...(voice === "" ? {} : { reference_id: voice }),
      },
      { signal },
    );
    session.current = opened;
    setTraceId(opened.traceId);
    // Text entered while the socket was opening.
    if (text.current !== "") opened.send(text.current).catch(() => {});
    if (finished.current) opened.stop().catch(() => {});
    const chunks = new Map<number, readonly TimedWord[]>();
    let chunk = -1;
    let cursor = 0;
    try {
      for await (const frame of opened) {
        newPlayer.push(fromPcm(frame.audio));
        setMetrics((before) => ({
          firstAudioMs: before.firstAudioMs ?? elapsedSince(firstSentAt.current),
          frames: before.frames + 1,
        }));
        if (frame.chunk_seq !== chunk) {
          chunk = frame.chunk_seq;
          cursor = endOf(frame.content, text.current, cursor);
          setSpokenUpTo(cursor);
        }
        if (frame.alignment) {
          const offset = frame.chunk_audio_offset_sec;
          chunks.set(
            chunk,
            frame.alignment.segments.map((word) => ({ ...word, start: offset + word.start, end: offset + word.end })),
          );
          setWords([...chunks.values()].flat());
        }
      }
    } finally {
      session.current = undefined;
      newPlayer.end();
    }
  });

  const send = useCallback((piece: string): void => {
    if (piece === "") return;
    firstSentAt.current ??= performance.now();
    text.current += piece;
    setSent(text.current);
    // Errors are reported where the frames are read.
    session.current?.send(piece).catch(() => {});
  }, []);
  const flush = useCallback(() => void session.current?.flush().catch(() => {}), []);
  const finish = useCallback(() => {
    finished.current = true;
    session.current?.stop().catch(() => {});
  }, []);
  return {
    player,
    words,
    sent,
    spokenUpTo,
    metrics,
    traceId,
    open: action.busy,
    error: action.error,
    start: action.run,
    cancel: action.cancel,
    send,
    flush,
    finish,
  };
}

/** Where a chunk's text ends in all that was sent; the server leaves out white space around it. */
function endOf(content: string, text: string, from: number): number {
  const spoken = content.trim();
  const at = text.indexOf(spoken, from);
  return at < 0 ? from : at + spoken.length;
}

function elapsedSince(from: number | undefined): number | undefined {
  return from === undefined ? undefined : performance.now() - from;
}
