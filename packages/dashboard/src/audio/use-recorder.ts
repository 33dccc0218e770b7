import { useCallback, useEffect, useRef, useState } from "react";

export interface Recorder {
  readonly recording: boolean;
  readonly seconds: number;
  /** The current input level, 0 to 1. */
  readonly level: number;
  readonly error: unknown;
  start(): Promise<void>;
  /** Resolves with the recording. */
  stop(): Promise<File | undefined>;
}

interface Running {
  readonly recorder: MediaRecorder;
  readonly stream: MediaStream;
  readonly context: AudioContext;
  readonly timer: ReturnType<typeof setInterval>;
  readonly parts: Blob[];
}

const POLL_MS = 100;

/** Records the microphone and reports the input level. */
export function useRecorder(): Recorder {
  const [recording, setRecording] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [level, setLevel] = useState(0);
  const [error, setError] = useState<unknown>();
  const running = useRef<Running>(undefined);

  const release = useCallback(() => {
    const current = running.current;
    running.current = undefined;
    if (current === undefined) return;
    clearInterval(current.timer);
    for (const track of current.stream.getTracks()) track.stop();
    void current.context.close();
    setRecording(false);
    setLevel(0);
  }, []);
  useEffect(() => release, [release]);

  const start = useCallback(async () => {
    setError(undefined);
    try {
      if (navigator.mediaDevices === undefined) {
        throw new Error("The browser allows the microphone only on https pages and on localhost.");
      }
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const context = new AudioContext();
      const analyser = context.createAnalyser();
      context.createMediaStreamSource(stream).connect(analyser);
      const data = new Float32Array(analyser.fftSize);
      const parts: Blob[] = [];
      const recorder = new MediaRecorder(stream);
      recorder.ondataavailable = ({ data: part }) => parts.push(part);
      const begun = performance.now();
      const timer = setInterval(() => {
        analyser.getFloatTimeDomainData(data);
        setLevel(
          Math.min(
            1,
            data.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
          ),
        );
        setSeconds((performance.now() - begun) / 1000);
      }, POLL_MS);
      recorder.start(1000);
      running.current = { recorder, stream, context, timer, parts };
      setSeconds(0);
      setRecording(true);
    } catch (fault) {
      setError(fault);
    }
  }, []);

  const stop = useCallback(async () => {
    const current = running.current;
    if (current === undefined) return undefined;
    await new Promise((resolve) => {
      current.recorder.onstop = resolve;
      current.recorder.stop();
    });
    release();
    const type = current.recorder.mimeType;
    const name = `recording.${type.includes("mp4") ? "m4a" : type.includes("ogg") ? "ogg" : "webm"}`;
    return new File(current.parts, name, { type });
  }, [release]);
  return { recording, seconds, level, error, start, stop };
}
