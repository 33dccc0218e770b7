import type { ProjectRecord } from "@parlance/protocol";
import { useCallback, useEffect, useRef, useState } from "react";
import { nextPlayable, type Place } from "./edit-chapters.ts";

/** As in an export. */
const PARAGRAPH_PAUSE_MS = 600;
const CHAPTER_PAUSE_MS = 1500;

export interface Listening {
  /** The paragraph that is played; undefined: none. */
  readonly place: Place | undefined;
  readonly isPaused: boolean;
  readonly error: unknown;
  /** Plays from the first paragraph with audio at or after a place. */
  play(from: Place): void;
  /** Pauses or resumes. */
  toggle(): void;
  stop(): void;
}

interface Playing {
  readonly audio: HTMLAudioElement;
  /** What follows, after a pause. */
  next?: Place;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/** Plays paragraph after paragraph. */
export function useListen(project: ProjectRecord): Listening {
  const [place, setPlace] = useState<Place>();
  const [isPaused, setPaused] = useState(false);
  const [error, setError] = useState<unknown>();
  const playing = useRef<Playing>(undefined);
  const latest = useRef(project);
  latest.current = project;

  const release = useCallback(() => {
    const current = playing.current;
    playing.current = undefined;
    if (current === undefined) return;
    clearTimeout(current.timer);
    current.audio.onended = current.audio.onerror = null;
    current.audio.pause();
  }, []);
  const stop = useCallback(() => {
    release();
    setPlace(undefined);
    setPaused(false);
  }, [release]);
  useEffect(() => release, [release]);

  const play = useCallback(
    (from: Place) => {
      release();
      setError(undefined);
      setPaused(false);
      const { _id, chapters } = latest.current;
      const next = nextPlayable(chapters, from);
      setPlace(next);
      if (next === undefined) return;
      const { chapter, paragraph } = next;
      const hash = chapters[chapter]?.paragraphs[paragraph]?.audio ?? "";
      const current: Playing = { audio: new Audio(`/projects/${_id}/audio/${hash}`) };
      playing.current = current;
      const fail = (fault: unknown): void => {
        // Pausing before the playback has started is not an error.
        if (playing.current !== current || (fault instanceof DOMException && fault.name === "AbortError")) return;
        setError(fault);
        stop();
      };
      current.audio.onended = () => {
        const isLast = paragraph + 1 >= (latest.current.chapters[chapter]?.paragraphs.length ?? 0);
        const pause = isLast ? CHAPTER_PAUSE_MS : PARAGRAPH_PAUSE_MS;
        const following = { chapter, paragraph: paragraph + 1 };
        current.next = following;
        current.timer = setTimeout(() => play(following), pause);
      };
      current.audio.onerror = () => fail(new Error("The audio of this paragraph could not be played."));
      current.audio.play().catch(fail);
    },
    [release, stop],
  );
  const toggle = useCallback(() => {
    const current = playing.current;
    if (current === undefined) return;
    const { audio, timer, next } = current;
    if (next !== undefined && timer === undefined) play(next);
    else if (next !== undefined) {
      // Between two paragraphs.
      clearTimeout(timer);
      current.timer = undefined;
      setPaused(true);
    } else {
      setPaused(!audio.paused);
      if (audio.paused) void audio.play();
      else audio.pause();
    }
  }, [play]);
  return { place, isPaused, error, play, toggle, stop };
}
