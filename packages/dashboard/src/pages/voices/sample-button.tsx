import type { VoiceModel } from "@parlance/protocol";
import { useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { describeFault, Notice } from "../../ui/notice.tsx";

/** Only one sample is heard at a time. */
let playing: HTMLAudioElement | undefined;

/** Plays the voice's sample. */
export function SampleButton({ voice }: { readonly voice: VoiceModel }) {
  const [audio, setAudio] = useState<HTMLAudioElement>();
  const [fault, setFault] = useState<unknown>();
  useEffect(() => () => audio?.pause(), [audio]);
  const sample = voice.samples[0];
  if (sample === undefined) return null;
  const play = () => {
    playing?.pause();
    const fresh = new Audio(sample.audio);
    playing = fresh;
    fresh.onended = fresh.onpause = () => setAudio(undefined);
    setFault(undefined);
    setAudio(fresh);
    fresh.play().catch((error: unknown) => {
      setAudio(undefined);
      // Stopping it before it sounds is not a fault.
      if (!(error instanceof DOMException && error.name === "AbortError")) setFault(error);
    });
  };
  return (
    <>
      <Button
        icon={audio ? "stop" : "play"}
        aria-label={audio ? `Stop sample of ${voice.title}` : `Play sample of ${voice.title}`}
        onClick={audio ? () => audio.pause() : play}
      >
        {audio ? "Stop" : "Play sample"}
      </Button>
      {fault !== undefined && <Notice tone="bad">{describeFault(fault)}</Notice>}
    </>
  );
}
