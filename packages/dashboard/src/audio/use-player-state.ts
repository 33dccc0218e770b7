import { useEffect, useState } from "react";
import type { PlayerState, StreamPlayer } from "./stream-player.ts";

export interface Seen {
  readonly state: PlayerState;
  readonly position: number;
  readonly duration: number;
  readonly moving: boolean;
}

const LOOK_MS = 100;
const NOTHING: Seen = { state: "paused", position: 0, duration: 0, moving: false };

/** What the player does, ten times a second: often enough for a clock and a button. */
export function usePlayerState(player: StreamPlayer | undefined): Seen {
  const [seen, setSeen] = useState<Seen>(NOTHING);
  useEffect(() => {
    if (player === undefined) {
      setSeen(NOTHING);
      return;
    }
    const look = () => {
      const { state, position, duration } = player;
      setSeen((before) =>
        before.state === state && before.position === position && before.duration === duration
          ? before
          : { state, position, duration, moving: state === "playing" },
      );
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [player]);
  return seen;
}
