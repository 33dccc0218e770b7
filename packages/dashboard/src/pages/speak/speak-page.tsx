import { AUDIO_FORMATS, creditsForText, ENGINE_MODELS, PROSODY_RANGES } from "@parlance/protocol";
import { type SyntheticEvent, useRef, useState } from "react";
import { CODE_LANGUAGES, type CodeLanguage } from "../../lib/code-languages.ts";
import { formatNumber } from "../../lib/format.ts";
import { usePrices } from "../../lib/use-prices.ts";
import { useStored } from "../../lib/use-stored.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy-button.tsx";
import { Options, RangeField, SelectField, TextArea } from "../../ui/field.tsx";
import { Fault } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { VoicePicker } from "../voices/voice-picker.tsx";
import { LANGUAGES, LanguageField } from "./language-field.tsx";
import { speakersOf } from "./marks.ts";
import { MarksToolbar } from "./marks-toolbar.tsx";
import { type SnippetRequest, snippet } from "./snippets.ts";
import { SpeakerVoices } from "./speaker-voices.tsx";
import { SpeechResult } from "./speech-result.tsx";
import { SpeedField } from "./speed-field.tsx";
import { SsmlNotice } from "./ssml-notice.tsx";
import { useSpeech } from "./use-speech.ts";
import { useSsml } from "./use-ssml.ts";

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
  const [textLanguage, setTextLanguage] = useStored("speak.language", "");
  const [language, setLanguage] = useState<CodeLanguage>("curl");
  // One voice in each line, from speaker 1 on.
  const [speakerLines, setSpeakerLines] = useStored("speak.speakers", "");
  const field = useRef<HTMLTextAreaElement>(null);
  const speech = useSpeech();
  const prices = usePrices();
  const ssml = useSsml(text, (converted) => {
    const [own = "", ...others] = converted.voices;
    setText(converted.text);
    if (own !== "") setVoice(own);
    if (converted.voices.length > 0) setSpeakerLines(others.join("\n"));
    if (converted.speed !== undefined) setSpeed(converted.speed);
    if (converted.volume !== undefined) setVolume(converted.volume);
    const tag = LANGUAGES.find((each) => each.toLowerCase() === converted.language?.toLowerCase());
    setTextLanguage(tag ?? "");
  });

  const speakers = speakerLines.split("\n");
  const lastSpeaker = speakersOf(text);
  const engine = ENGINE_MODELS.find((each) => each === model);
  const format = AUDIO_FORMATS.find((each) => each === formatName) ?? "mp3";
  const latency = LATENCIES.find((each) => each === latencyName) ?? "balanced";
  const prosody = { ...(speed === 1 ? {} : { speed }), ...(volume === 0 ? {} : { volume }) };
  const parameters = {
    text,
    model,
    latency,
    ...voicesOf(voice, speakers, lastSpeaker),
    ...(textLanguage === "" ? {} : { language: textLanguage }),
    ...(Object.keys(prosody).length === 0 ? {} : { prosody }),
  };
  const request: SnippetRequest = { ...parameters, format };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (ssml.isSsml) void ssml.convert();
    else if (text.trim() !== "") void speech.speak(parameters);
  };
  return (
    <Page title="Speak" lead="Text to speech, played while it is generated.">
      <div className="split">
        <div className="stack">
          <form className="card stack" onSubmit={submit}>
            <TextArea
              ref={field}
              label="Text"
              aside={prices && `${formatNumber(creditsForText(text, prices))} credits`}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && submit(event)}
              hint="Ctrl + Enter to speak."
            />
            <MarksToolbar field={field} />
            <SsmlNotice ssml={ssml} />
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
              <Tabs label="Language" value={language} options={CODE_LANGUAGES} onChange={setLanguage} />
            </header>
            <Code label={`Code sample in ${language}`}>{snippet(language, window.location.origin, request)}</Code>
          </section>
        </div>
        <section className="card stack" aria-label="Settings">
          <VoicePicker value={voice} onChange={setVoice} engine={engine} text={text} />
          <SpeakerVoices
            last={lastSpeaker}
            voices={speakers}
            engine={engine}
            onChange={(voices) => setSpeakerLines(voices.join("\n"))}
          />
          <LanguageField value={textLanguage} onChange={setTextLanguage} />
          <SelectField
            label="Model"
            value={model}
            hint="An engine offers only its own voices."
            onChange={(event) => setModel(event.target.value)}
          >
            <option value="s2-pro">s2-pro (recommended)</option>
            {ENGINE_MODELS.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
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
            <Options values={AUDIO_FORMATS} />
          </SelectField>
          <SpeedField value={speed} onChange={setSpeed} />
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

/** One voice, or one for each speaker of the text. */
function voicesOf(voice: string, speakers: readonly string[], last: number) {
  if (last === 0) return voice === "" ? {} : { reference_id: voice };
  return { reference_id: [voice, ...Array.from({ length: last }, (_, index) => speakers[index] ?? "")] };
}
