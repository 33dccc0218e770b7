import { creditsForText, PROSODY_RANGES } from "@parlance/protocol";
import { type SyntheticEvent, useState } from "react";
import { formatNumber } from "../../lib/format.ts";
import { useStored } from "../../lib/use-stored.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy-button.tsx";
import { RangeField, SelectField, TextArea } from "../../ui/field.tsx";
import { Fault } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { VoicePicker } from "../voices/voice-picker.tsx";
import { SNIPPETS, type SnippetLanguage, type SnippetRequest, snippet } from "./snippets.ts";
import { SpeechResult } from "./speech-result.tsx";
import { useSpeech } from "./use-speech.ts";

const FORMATS = ["mp3", "wav", "opus", "pcm"] as const;
const LATENCIES = ["balanced", "normal"] as const;
const EXAMPLE =
  "Parlance starts to speak before the whole text is synthesized. Each word is highlighted while it is spoken.";

export default function SpeakPage() {
  const [text, setText] = useStored("speak.text", EXAMPLE);
  const [voice, setVoice] = useStored("speak.voice", "");
  const [model, setModel] = useStored("speak.model", "s2-pro");
  const [latencyName, setLatency] = useStored("speak.latency", "balanced");
  const [formatName, setFormat] = useStored("speak.format", "mp3");
  const [speed, setSpeed] = useStored("speak.speed", PROSODY_RANGES.speed.default);
  const [volume, setVolume] = useStored("speak.volume", PROSODY_RANGES.volume.default);
  const [language, setLanguage] = useState<SnippetLanguage>("curl");
  const speech = useSpeech();

  const format = FORMATS.find((each) => each === formatName) ?? "mp3";
  const latency = LATENCIES.find((each) => each === latencyName) ?? "balanced";
  const prosody = { ...(speed === 1 ? {} : { speed }), ...(volume === 0 ? {} : { volume }) };
  const parameters = {
    text,
    model,
    latency,
    ...(voice === "" ? {} : { reference_id: voice }),
    ...(Object.keys(prosody).length === 0 ? {} : { prosody }),
  };
  const request: SnippetRequest = { ...parameters, format };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    // The download in another format uses the same seed, so that it sounds the same.
    if (text.trim() !== "") void speech.speak({ ...parameters, seed: Math.floor(Math.random() * 2 ** 31) });
  };
  return (
    <Page title="Speak" lead="Text to speech, played while it is generated.">
      <div className="split">
        <div className="stack">
          <form className="card stack" onSubmit={submit}>
            <TextArea
              label="Text"
              aside={`${formatNumber(creditsForText(text))} credits`}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && submit(event)}
              hint="Ctrl + Enter to speak. [break] inserts a pause."
            />
            <div className="row">
              <Button type="submit" look="primary" icon="play" disabled={text.trim() === ""} busy={speech.busy}>
                Speak
              </Button>
              {speech.busy && (
                <Button icon="stop" onClick={speech.stop}>
                  Stop
                </Button>
              )}
            </div>
            <Fault error={speech.error} />
          </form>
          <SpeechResult speech={speech} format={format} />
          <section className="card">
            <header>
              <h2>Code sample</h2>
              <Tabs label="Language" value={language} options={SNIPPETS} onChange={setLanguage} />
            </header>
            <Code label={`Code sample in ${language}`}>{snippet(language, window.location.origin, request)}</Code>
          </section>
        </div>
        <section className="card stack" aria-label="Settings">
          <VoicePicker value={voice} onChange={setVoice} />
          <SelectField label="Model" value={model} onChange={(event) => setModel(event.target.value)}>
            <option value="s2-pro">s2-pro (recommended)</option>
            <option value="kokoro">kokoro</option>
            <option value="piper">piper</option>
          </SelectField>
          <SelectField label="Latency" value={latency} onChange={(event) => setLatency(event.target.value)}>
            <option value="balanced">balanced (lowest latency)</option>
            <option value="normal">normal (whole sentences)</option>
          </SelectField>
          <SelectField
            label="File format"
            value={format}
            onChange={(event) => setFormat(event.target.value)}
            hint="For the download and the code sample. Playback is uncompressed."
          >
            {FORMATS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </SelectField>
          <RangeField
            label="Speed"
            aside={`${speed.toFixed(2)} ×`}
            min={PROSODY_RANGES.speed.min}
            max={PROSODY_RANGES.speed.max}
            step={0.05}
            value={speed}
            onChange={(event) => setSpeed(Number(event.target.value))}
          />
          <RangeField
            label="Volume"
            aside={`${volume > 0 ? "+" : ""}${volume} dB`}
            min={PROSODY_RANGES.volume.min}
            max={PROSODY_RANGES.volume.max}
            step={1}
            value={volume}
            onChange={(event) => setVolume(Number(event.target.value))}
          />
        </section>
      </div>
    </Page>
  );
}
