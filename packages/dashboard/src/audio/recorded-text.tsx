import { useEffect, useState } from "react";
import { Notice } from "../ui/notice.tsx";
import { PlayControls } from "./play-controls.tsx";
import type { TimedWord } from "./spoken-pieces.ts";
import { SpokenText } from "./spoken-text.tsx";
import { playedPosition, usePlayerState } from "./use-player-state.ts";
import { useRecording } from "./use-recording.ts";
import { Waveform } from "./waveform.tsx";

interface RecordedTextProps {
  readonly recording: Blob | undefined;
  readonly text: string;
  readonly words: readonly TimedWord[];
}

/** A recording to play, and its text: a click on a word plays from there. */
export function RecordedText({ recording, text, words }: RecordedTextProps) {
  const { player, unplayable } = useRecording(recording);
  const state = usePlayerState(player);
  // A click while the recording is still being decoded counts when it is ready.
  const [wanted, setWanted] = useState<number>();
  useEffect(() => {
    if (player === undefined || wanted === undefined) return;
    player.seek(wanted);
    player.play();
    setWanted(undefined);
  }, [player, wanted]);
  return (
    <div className="stack" data-state={state.state}>
      {unplayable && <Notice tone="warn">The browser cannot play this format. The text is complete.</Notice>}
      {player && (
        <>
          <Waveform wave={player} live={state.moving} onSeek={player.seek} />
          <PlayControls player={player} state={state} />
        </>
      )}
      {text === "" ? (
        <p className="soft">No speech was found in this recording.</p>
      ) : (
        <SpokenText
          text={text}
          words={words}
          position={() => playedPosition(player)}
          live={state.moving}
          onSeek={setWanted}
        />
      )}
    </div>
  );
}
