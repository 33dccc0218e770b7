import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { SpokenText } from "../../audio/spoken-text.tsx";
import { playedPosition, usePlayerState } from "../../audio/use-player-state.ts";
import { Waveform } from "../../audio/waveform.tsx";
import { useStored } from "../../lib/use-stored.ts";
import { Button } from "../../ui/button.tsx";
import { RangeField, TextArea } from "../../ui/field.tsx";
import { Metrics } from "../../ui/metrics.tsx";
import { Empty, Fault } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { TraceLink } from "../../ui/trace-link.tsx";
import { VoicePicker } from "../voices/voice-picker.tsx";
import { useLive } from "./use-live.ts";
import { useSimulatedModel } from "./use-simulated-model.ts";

const MODES = [
  { value: "typing", label: "Speak as I type" },
  { value: "model", label: "Simulated language model" },
] as const;
type Mode = (typeof MODES)[number]["value"];

const EXAMPLE =
  "Of course, I can help with that. First, open the settings and look for the network panel. Then choose your connection, and tell me what it says under status.";

export default function LivePage() {
  const [mode, setMode] = useState<Mode>("typing");
  const [draft, setDraft] = useStored("live.text", EXAMPLE);
  const [typed, setTyped] = useState("");
  const [voice, setVoice] = useStored("live.voice", "");
  const [rate, setRate] = useStored("live.rate", 20);
  const live = useLive();
  useSimulatedModel(live.open && mode === "model", draft, rate, live.send, live.finish);

  const type = (event: ChangeEvent<HTMLTextAreaElement>) => {
    const { value } = event.target;
    // Sent text cannot be changed: only text added at the end is sent.
    if (value.startsWith(typed)) live.send(value.slice(typed.length));
    setTyped(value);
  };
  const start = () => {
    setTyped("");
    void live.start(voice);
  };
  // The pressed button goes away, and the focus would go with it.
  const form = useRef<HTMLElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (live.open !== wasOpen.current) {
      const next = live.open && mode === "typing" ? "textarea" : "button.button";
      form.current?.querySelector<HTMLElement>(next)?.focus();
    }
    wasOpen.current = live.open;
  }, [live.open, mode]);
  return (
    <Page title="Live" lead="Text is sent in pieces over a WebSocket and spoken as it arrives.">
      <div className="split">
        <div className="stack">
          <section className="card stack" ref={form}>
            <Tabs label="Text source" value={mode} options={MODES} onChange={setMode} />
            {mode === "typing" ? (
              <TextArea
                label="Type here"
                value={typed}
                onChange={type}
                disabled={!live.open}
                placeholder={
                  live.open ? "Every sentence is spoken as soon as it is complete…" : "Open the socket first"
                }
                hint="Only text added at the end is spoken. Text that was sent cannot be changed."
              />
            ) : (
              <TextArea
                label="Text to stream"
                value={draft}
                disabled={live.open}
                onChange={(event) => setDraft(event.target.value)}
              />
            )}
            <div className="row">
              {live.open ? (
                <>
                  {mode === "typing" && (
                    <>
                      <Button look="primary" icon="live" onClick={live.flush}>
                        Speak now
                      </Button>
                      <Button icon="check" onClick={live.finish}>
                        Finish
                      </Button>
                    </>
                  )}
                  <Button icon="stop" onClick={live.cancel}>
                    Cancel
                  </Button>
                </>
              ) : (
                <Button look="primary" icon="play" onClick={start}>
                  {mode === "typing" ? "Open the socket" : "Start the stream"}
                </Button>
              )}
            </div>
            <Fault error={live.error} />
          </section>
          <LiveResult live={live} />
        </div>
        <section className="card stack" aria-label="Settings">
          <VoicePicker value={voice} onChange={setVoice} />
          <RangeField
            label="Model speed"
            aside={`${rate} tokens/s`}
            min={5}
            max={80}
            step={5}
            value={rate}
            onChange={(event) => setRate(Number(event.target.value))}
            hint="For the simulated language model."
          />
        </section>
      </div>
    </Page>
  );
}

function LiveResult({ live }: { readonly live: ReturnType<typeof useLive> }) {
  const { player } = live;
  const state = usePlayerState(player);
  if (player === undefined) {
    return (
      <div className="card">
        <Empty icon="live" title="No socket is open">
          <p>
            Open one and type: what you write is spoken while you write it. Spoken words, buffered text and playback
            gaps appear here.
          </p>
        </Empty>
      </div>
    );
  }
  const moving = state.moving || live.open;
  return (
    <section className="card stack" aria-label="Speech" data-state={state.state} data-gaps={player.gaps}>
      <Waveform wave={player} live={moving} onSeek={player.seek} />
      <div>
        <h3>Spoken</h3>
        <SpokenText
          text={live.sent.slice(0, live.spokenUpTo)}
          words={live.words}
          position={() => playedPosition(player)}
          live={moving}
          onSeek={player.seek}
        />
      </div>
      <div>
        <h3>Buffered, not spoken yet</h3>
        <p className="soft" data-testid="buffered">
          {live.sent.slice(live.spokenUpTo).trim() || "nothing"}
        </p>
      </div>
      <Metrics
        metrics={[
          [
            "First text to first audio",
            live.metrics.firstAudioMs === undefined ? "…" : `${Math.round(live.metrics.firstAudioMs)} ms`,
          ],
          ["Audio frames", live.metrics.frames],
          ["Gaps", player.gaps],
        ]}
      />
      {!live.open && (
        <div className="row">
          <TraceLink id={live.traceId} operation="live" />
        </div>
      )}
    </section>
  );
}
