import { usePlayerState } from "../../audio/use-player-state.ts";
import { Waveform } from "../../audio/waveform.tsx";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { useStored } from "../../lib/use-stored.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Metrics } from "../../ui/metrics.tsx";
import { Empty, Fault, Loading, Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { VoicePicker } from "../voices/voice-picker.tsx";
import type { StageTimes, TalkEntry } from "./talk-log.ts";
import { useTalk } from "./use-talk.ts";

const INSTRUCTIONS =
  "You are in a spoken conversation: what you write is read aloud. Answer in a few short sentences of plain text.";

export default function TalkPage() {
  const available = useLoad((signal) => client.conversation.available({ signal }), []);
  return (
    <Page title="Talk" lead="Speak, and a language model answers with a voice of this server.">
      <Fault error={available.error} retry={available.reload} />
      {available.loading && <Loading what="the page" />}
      {available.data === true && <Talk />}
      {available.data === false && <Off />}
    </Page>
  );
}

function Off() {
  return (
    <div className="card">
      <Empty icon="talk" title="This server has no language model">
        <p>
          The operator sets <code>PARLANCE_LLM_URL</code> to an endpoint with OpenAI's chat completions, such as{" "}
          <code>http://127.0.0.1:11434/v1</code>, and <code>PARLANCE_LLM_MODEL</code> to the name of a model.
        </p>
      </Empty>
    </div>
  );
}

function Talk() {
  const [voice, setVoice] = useStored("talk.voice", "");
  const [instructions, setInstructions] = useStored("talk.instructions", INSTRUCTIONS);
  const talk = useTalk();
  return (
    <div className="split">
      <div className="stack">
        <section className="card stack" aria-label="Conversation" data-open={talk.isOpen}>
          <div className="row">
            {talk.isOpen ? (
              <Button icon="stop" onClick={talk.stop}>
                End the conversation
              </Button>
            ) : (
              <Button look="primary" icon="talk" onClick={() => void talk.start({ instructions, voice })}>
                Start talking
              </Button>
            )}
          </div>
          <Fault error={talk.error} />
          {talk.log.fault !== undefined && <Notice tone="bad">{talk.log.fault}</Notice>}
          {talk.playing !== undefined && <Playback key={talk.playing.itemId} player={talk.playing.player} />}
        </section>
        <Transcript entries={talk.log.entries} isOpen={talk.isOpen} />
      </div>
      <section className="card stack" aria-label="Settings">
        <VoicePicker value={voice} onChange={setVoice} />
        <TextArea
          label="Instructions"
          value={instructions}
          disabled={talk.isOpen}
          onChange={(event) => setInstructions(event.target.value)}
          hint="The system message of the language model."
        />
      </section>
    </div>
  );
}

type Playing = NonNullable<ReturnType<typeof useTalk>["playing"]>;

function Playback({ player }: Pick<Playing, "player">) {
  const state = usePlayerState(player);
  return (
    <section aria-label="Speech" data-state={state.state}>
      <Waveform wave={player} live={state.moving} onSeek={player.seek} />
    </section>
  );
}

function Transcript({ entries, isOpen }: { readonly entries: readonly TalkEntry[]; readonly isOpen: boolean }) {
  if (entries.length === 0) {
    return (
      <div className="card">
        <Empty icon="talk" title={isOpen ? "Say something" : "Nothing was said yet"}>
          <p>Both sides of the conversation appear here. Interrupt an answer by speaking.</p>
        </Empty>
      </div>
    );
  }
  return (
    <section className="card stack" aria-label="Transcript" aria-live="polite">
      {entries.map((entry) => (
        <div key={entry.id} data-who={entry.who} data-cut={entry.isCut}>
          <h3>{entry.who === "you" ? "You" : "Agent"}</h3>
          <p>{entry.text || "…"}</p>
          {entry.isCut && <p className="soft small">Interrupted</p>}
          {entry.who === "agent" && <Stages times={entry.times} />}
        </div>
      ))}
    </section>
  );
}

const STAGES = [
  ["endOfTurn", "End of turn"],
  ["firstWord", "First word"],
  ["firstAudio", "First audio"],
] as const;

function Stages({ times }: { readonly times: StageTimes }) {
  return (
    <Metrics
      metrics={STAGES.map(([stage, label]) => [label, times[stage] === undefined ? "…" : `${times[stage]} ms`])}
    />
  );
}
