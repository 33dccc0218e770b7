import type { VoiceModel } from "@parlance/protocol";
import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { describeFault, Notice } from "../../ui/notice.tsx";

/** Only one sample plays at a time. */
let playing: HTMLAudioElement | undefined;

interface SampleButtonProps {
  readonly voice: VoiceModel;
  /** Only the icon. */
  readonly compact?: boolean;
  /** Plays while it is true, as while the pointer rests on the voice. */
  readonly autoPlay?: boolean;
}

/** Plays the voice's sample. */
export function SampleButton({ voice, compact = false, autoPlay = false }: SampleButtonProps) {
  const [audio, setAudio] = useState<HTMLAudioElement>();
  const [fault, setFault] = useState<unknown>();
  useEffect(() => () => audio?.pause(), [audio]);
  const sample = voice.samples[0];
  const play = () => {
    if (sample === undefined) return;
    playing?.pause();
    const newAudio = new Audio(sample.audio);
    playing = newAudio;
    // The event of a sample that another one has replaced comes late.
    newAudio.onended = newAudio.onpause = () => setAudio((current) => (current === newAudio ? undefined : current));
    setFault(undefined);
    setAudio(newAudio);
    newAudio.play().catch((error: unknown) => {
      setAudio(undefined);
      // Stopping before playback starts is not an error.
      if (!(error instanceof DOMException && error.name === "AbortError")) setFault(error);
    });
  };
  const toggle = useRef({ play, audio });
  toggle.current = { play, audio };
  useEffect(() => {
    if (!autoPlay) return;
    if (toggle.current.audio === undefined) toggle.current.play();
    return () => toggle.current.audio?.pause();
  }, [autoPlay]);
  if (sample === undefined) return null;
  return (
    <>
      <Button
        {...(compact ? { look: "quiet" as const } : {})}
        icon={audio ? "stop" : "play"}
        aria-label={audio ? `Stop sample of ${voice.title}` : `Play sample of ${voice.title}`}
        onClick={audio ? () => audio.pause() : play}
      >
        {compact ? undefined : audio ? "Stop" : "Play sample"}
      </Button>
      {fault !== undefined && <Notice tone="bad">{describeFault(fault)}</Notice>}
    </>
  );
}
