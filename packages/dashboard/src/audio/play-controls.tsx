import { formatClock } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import type { StreamPlayer } from "./stream-player.ts";
import type { PlayerSnapshot } from "./use-player-state.ts";

/** A button to play or pause, and the position. */
export function PlayControls({ player, state }: { readonly player: StreamPlayer; readonly state: PlayerSnapshot }) {
  const isOn = state.state === "playing" || state.state === "waiting";
  return (
    <div className="row">
      <Button icon={isOn ? "pause" : "play"} onClick={isOn ? player.pause : player.play}>
        {isOn ? "Pause" : "Play"}
      </Button>
      <span className="number soft">
        {formatClock(state.position)} / {formatClock(state.duration)}
      </span>
    </div>
  );
}
