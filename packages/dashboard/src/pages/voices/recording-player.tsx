import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";

interface RecordingPlayerProps {
  readonly file: File;
  readonly label: string;
  /** With words beside the icon. */
  readonly text?: string;
}

/** Plays a file of the user. */
export function RecordingPlayer({ file, label, text }: RecordingPlayerProps) {
  const [playing, setPlaying] = useState(false);
  const audio = useRef<HTMLAudioElement>(undefined);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    const element = new Audio(url);
    element.onended = element.onpause = () => setPlaying(false);
    element.onplay = () => setPlaying(true);
    audio.current = element;
    return () => {
      element.pause();
      URL.revokeObjectURL(url);
    };
  }, [file]);
  // A format that the browser cannot play is silent; the server may read it.
  const toggle = () => (playing ? audio.current?.pause() : void audio.current?.play().catch(() => setPlaying(false)));
  return (
    <Button
      look={text === undefined ? "quiet" : "plain"}
      icon={playing ? "pause" : "play"}
      aria-label={label}
      onClick={toggle}
    >
      {text}
    </Button>
  );
}
