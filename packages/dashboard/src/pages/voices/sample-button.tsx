import type { VoiceModel } from "@parlance/protocol";
import { useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { describeFault, Notice } from "../../ui/notice.tsx";

/** Only one sample plays at a time. */
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
    const newAudio = new Audio(sample.audio);
    playing = newAudio;
    newAudio.onended = newAudio.onpause = () => setAudio(undefined);
    setFault(undefined);
    setAudio(newAudio);
    newAudio.play().catch((error: unknown) => {
      setAudio(undefined);
      // Stopping before playback starts is not an error.
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
