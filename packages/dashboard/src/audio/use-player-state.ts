import { useEffect, useState } from "react";
import type { PlayerState, StreamPlayer } from "./stream-player.ts";

export interface PlayerSnapshot {
  readonly state: PlayerState;
  readonly position: number;
  readonly duration: number;
  readonly moving: boolean;
}

const POLL_MS = 100;
const NO_PLAYER: PlayerSnapshot = { state: "paused", position: 0, duration: 0, moving: false };

/** The state of the player, read ten times a second. */
export function usePlayerState(player: StreamPlayer | undefined): PlayerSnapshot {
  const [snapshot, setSnapshot] = useState<PlayerSnapshot>(NO_PLAYER);
  useEffect(() => {
    if (player === undefined) {
      setSnapshot(NO_PLAYER);
      return;
    }
    const poll = () => {
      const { state, position, duration } = player;
      setSnapshot((before) =>
        before.state === state && before.position === position && before.duration === duration
          ? before
          : { state, position, duration, moving: state === "playing" },
      );
    };
    poll();
    const timer = setInterval(poll, POLL_MS);
    return () => clearInterval(timer);
  }, [player]);
  return snapshot;
}

/** The position for the highlighted word: none after the end, so that the last word does not stay marked. */
export function playedPosition(player: StreamPlayer | undefined): number {
  return player === undefined || player.state === "ended" ? -1 : player.position;
}
