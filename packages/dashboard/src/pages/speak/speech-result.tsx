import type { AudioFormatName } from "@parlance/protocol";
import { PlayControls } from "../../audio/play-controls.tsx";
import { toWav } from "../../audio/samples.ts";
import { SpokenText } from "../../audio/spoken-text.tsx";
import { playedPosition, usePlayerState } from "../../audio/use-player-state.ts";
import { Waveform } from "../../audio/waveform.tsx";
import { Link } from "../../lib/router.tsx";
import { saveFile } from "../../lib/save-file.ts";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Metrics } from "../../ui/metrics.tsx";
import { Empty, Fault } from "../../ui/notice.tsx";
import { TraceLink } from "../../ui/trace-link.tsx";
import { SAMPLE_RATE, type SpeechMetrics, type useSpeech } from "./use-speech.ts";

interface SpeechResultProps {
  readonly speech: ReturnType<typeof useSpeech>;
  readonly format: AudioFormatName;
}

/** The result: waveform, words, metrics and download. */
export function SpeechResult({ speech, format }: SpeechResultProps) {
  const { player, text, words, metrics, busy } = speech;
  const state = usePlayerState(player);
  // The audio without a second charge: from the history, or else from memory.
  const historyId = metrics?.doneMs === undefined ? undefined : metrics.historyId;
  const fileFormat = historyId === undefined ? "wav" : format;
  const download = useAction(async (signal) => {
    if (historyId === undefined || format === "wav") {
      if (player) saveFile("speech.wav", toWav(player.pieces(), SAMPLE_RATE));
      return;
    }
    saveFile(`speech.${format}`, new Blob([await client.history.audio(historyId, format, { signal })]));
  });
  if (player === undefined) {
    return (
      <div className="card">
        <Empty icon="speak" title={busy ? "Waiting for the first audio" : "No speech yet"}>
          <p>
            Type a text above and press Speak. The audio, its words and the timing appear here, and in the{" "}
            <Link to="history">history</Link>.
          </p>
        </Empty>
      </div>
    );
  }
  const moving = state.moving || busy;
  return (
    <section className="card stack" aria-label="Speech" data-state={state.state} data-gaps={player.gaps}>
      <Waveform wave={player} live={moving} onSeek={player.seek} />
      <div className="row apart">
        <PlayControls player={player} state={state} />
        <div className="row">
          {/* A trace is complete when its request has ended. */}
          {metrics?.doneMs !== undefined && <TraceLink id={metrics.traceId} operation="tts" />}
          <Button icon="download" busy={download.busy} disabled={busy} onClick={() => void download.run()}>
            Download {fileFormat}
          </Button>
        </div>
      </div>
      <Fault error={download.error} />
      <SpokenText
        text={text}
        words={words}
        position={() => playedPosition(player)}
        live={moving}
        onSeek={player.seek}
      />
      {metrics && <SpeechFigures metrics={metrics} seconds={state.duration} gaps={player.gaps} />}
    </section>
  );
}

interface SpeechFiguresProps {
  readonly metrics: SpeechMetrics;
  readonly seconds: number;
  readonly gaps: number;
}

function SpeechFigures({ metrics, seconds, gaps }: SpeechFiguresProps) {
  const realTimeFactor = metrics.doneMs === undefined ? undefined : (seconds * 1000) / metrics.doneMs;
  return (
    <Metrics
      metrics={[
        [
          "First audio",
          <span key="ms" data-testid="first-audio">
            {Math.round(metrics.firstAudioMs)} ms
          </span>,
        ],
        ["Speed (× real time)", realTimeFactor === undefined ? "…" : `${realTimeFactor.toFixed(1)} ×`],
        ["Gaps", gaps],
      ]}
    />
  );
}
