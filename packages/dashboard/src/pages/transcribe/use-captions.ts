import { type ListenSession, type Transcript, writeWav } from "@parlance/client";
import { type Microphone, openMicrophone } from "@parlance/client/browser";
import { type AsrSegment, HISTORY_LIMITS } from "@parlance/protocol";
import { useCallback, useEffect, useRef, useState } from "react";
import { client } from "../../lib/server.ts";

export interface Captions {
  readonly state: "off" | "starting" | "listening" | "finishing";
  /** What was said, and the words that may still change. */
  readonly text: string;
  readonly partial: string;
  readonly error: unknown;
  start(language: string): void;
  stop(): void;
}

export interface CaptionResult {
  readonly file: File;
  readonly result: Transcript;
  readonly traceId: string | undefined;
}

interface Running {
  readonly abort: AbortController;
  /** Closes the microphone, and ends the stream. */
  finish?: () => void;
}

const SAMPLE_RATE = 16_000;

/** Live captions of the microphone. `onEnd` gets the transcript when it was stopped. */
export function useCaptions(onEnd: (result: CaptionResult) => void): Captions {
  const [state, setState] = useState<Captions["state"]>("off");
  const [shown, setShown] = useState({ text: "", partial: "" });
  const [error, setError] = useState<unknown>();
  const running = useRef<Running>(undefined);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  useEffect(() => () => running.current?.abort.abort(), []);

  const start = useCallback((language: string) => {
    if (running.current !== undefined) return;
    const current: Running = { abort: new AbortController() };
    const { signal } = current.abort;
    running.current = current;
    setState("starting");
    setError(undefined);
    setShown({ text: "", partial: "" });
    const listen = async () => {
      const options = { sampleRate: SAMPLE_RATE, ...(language === "" ? {} : { language }) };
      const session = await client.asr.live(options, { signal });
      const { microphone, recorded } = await record(session, signal);
      current.finish = () => {
        microphone.close();
        session.stop();
      };
      setState("listening");
      const said = await follow(session, (text, partial) => setShown({ text, partial }));
      ended.current(finished(said, recorded(), session.traceId));
    };
    listen()
      .catch((fault: unknown) => {
        if (!signal.aborted) setError(fault);
      })
      .finally(() => {
        // Left page or not: the microphone is closed.
        current.abort.abort();
        running.current = undefined;
        setState("off");
      });
  }, []);
  const stop = useCallback(() => {
    setState("finishing");
    running.current?.finish?.();
  }, []);
  return { state, ...shown, error, start, stop };
}

/** What was recorded. Without samples where there are more than the history keeps. */
interface Recorded {
  readonly seconds: number;
  readonly samples: Int16Array | undefined;
}

/** Sends the audio of the microphone. The session buffers what the network does not take. */
async function record(
  session: ListenSession,
  signal: AbortSignal,
): Promise<{ readonly microphone: Microphone; readonly recorded: () => Recorded }> {
  const samples = new Int16Array(HISTORY_LIMITS.audioBytes / 2 - 1000);
  let length = 0;
  const onAudio = (piece: Int16Array): void => {
    if (length + piece.length <= samples.length) samples.set(piece, length);
    length += piece.length;
    void session.send(piece);
  };
  const microphone = await openMicrophone({ sampleRate: SAMPLE_RATE, onAudio, signal });
  const recorded = () => ({
    seconds: length / SAMPLE_RATE,
    samples: length <= samples.length ? samples.subarray(0, length) : undefined,
  });
  return { microphone, recorded };
}

interface Said {
  readonly text: string;
  readonly words: readonly AsrSegment[];
  readonly language: string | null;
}

async function follow(session: ListenSession, show: (text: string, partial: string) => void): Promise<Said> {
  const texts: string[] = [];
  const words: AsrSegment[] = [];
  let language: string | null = null;
  for await (const result of session) {
    if (result.event === "partial") show(texts.join(" "), result.text);
    if (result.event !== "segment") continue;
    texts.push(result.text);
    words.push(...result.words);
    language = result.language_code;
    show(texts.join(" "), "");
  }
  return { text: texts.join(" "), words, language };
}

function finished(
  { text, words, language }: Said,
  { seconds, samples }: Recorded,
  traceId: string | undefined,
): CaptionResult {
  const name = `captions ${new Date().toLocaleString()}.wav`;
  const file = new File(samples ? [writeWav(samples, SAMPLE_RATE)] : [], name, { type: "audio/wav" });
  return { file, traceId, result: { text, segments: words, language, duration: seconds } };
}
