import { useEffect, useState } from "react";
import { decodeRecording } from "./decode.ts";
import { createStreamPlayer, type StreamPlayer } from "./stream-player.ts";

/** A paused player for a recording. Unplayable: the browser does not know the format. */
export function useRecording(recording: Blob | undefined): {
  readonly player: StreamPlayer | undefined;
  readonly unplayable: boolean;
} {
  const [player, setPlayer] = useState<StreamPlayer>();
  const [unplayable, setUnplayable] = useState(false);
  useEffect(() => {
    if (recording === undefined) return;
    let cancelled = false;
    let newPlayer: StreamPlayer | undefined;
    decodeRecording(recording).then(
      ({ samples, sampleRate }) => {
        if (cancelled) return;
        newPlayer = createStreamPlayer(sampleRate);
        newPlayer.pause();
        newPlayer.push(samples);
        newPlayer.end();
        setPlayer(newPlayer);
      },
      () => setUnplayable(true),
    );
    return () => {
      cancelled = true;
      newPlayer?.close();
    };
  }, [recording]);
  return { player, unplayable };
}
