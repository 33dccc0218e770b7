import type { VoiceModel } from "@parlance/protocol";
import { useEffect, useState } from "react";
import { Link } from "../../lib/router.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Fault, Notice } from "../../ui/notice.tsx";
import { namedVoice } from "./named-voice.ts";
import { SampleButton } from "./sample-button.tsx";
import { textLanguage } from "./text-language.ts";
import { useVoices } from "./use-voices.ts";
import { type NoVoice, VoiceChooser } from "./voice-chooser.tsx";
import { engineOf } from "./voice-engine.ts";
import { factsOf } from "./voice-facts.ts";
import { VoiceMark } from "./voice-mark.tsx";
import "./voice-picker.css";

interface VoicePickerProps {
  /** The id of the voice; "" is the server's default. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** Only voices of this engine are offered; undefined: all. */
  readonly engine?: string | undefined;
  /** Above the voice. */
  readonly label?: string;
  /** A voice that fits its language is suggested. */
  readonly text?: string;
  /** What no voice means. */
  readonly none?: NoVoice;
  /** Keeps a voice that is not among those of the account, such as one by its short name. */
  readonly keepsUnknown?: boolean;
}

const DEFAULT_VOICE: NoVoice = { title: "Default voice", facts: "fits each language" };

/** Shows the chosen voice, and opens a dialog to choose another. */
export function VoicePicker(props: VoicePickerProps) {
  const { value, onChange, engine, label = "Voice", text = "", none = DEFAULT_VOICE, keepsUnknown = false } = props;
  const [open, setOpen] = useState(false);
  const voices = useVoices();
  const offered = (voices.data ?? []).filter((voice) => engine === undefined || engineOf(voice) === engine);
  const chosen =
    offered.find((voice) => voice._id === value) ??
    (keepsUnknown && value !== "" ? namedVoice(offered, value) : undefined);
  const isGone = !keepsUnknown && voices.data !== undefined && value !== "" && chosen === undefined;
  useEffect(() => {
    // A deleted voice, or one of another engine: the server would refuse it.
    if (isGone) onChange("");
  }, [isGone, onChange]);
  const put = (changed: VoiceModel) =>
    voices.put((all) => all.map((voice) => (voice._id === changed._id ? changed : voice)));
  const {
    language = none.facts,
    accent = "",
    sex = "",
  } = chosen ? factsOf(chosen) : value === "" ? {} : { language: "" };
  return (
    <div className="stack tight">
      <div className="row apart small">
        <strong>{label}</strong>
        <Link to="voices">All voices</Link>
      </div>
      <button type="button" className="voice-choice" onClick={() => setOpen(true)}>
        <span className="visually-hidden">
          {label === "Voice" ? "Choose the voice: " : `Choose the voice of ${label}: `}
        </span>
        <VoiceMark voice={chosen} />
        <span className="grow">
          <strong className="cut" data-testid="voice">
            {chosen?.title ?? (value || none.title)}
          </strong>
          <span className="small soft">{[language, accent, sex].filter(Boolean).join(" · ")}</span>
        </span>
      </button>
      {chosen && (
        <div className="row">
          <SampleButton voice={chosen} />
          <CopyButton text={chosen._id} label="Copy the id" compact />
        </div>
      )}
      <Suggestion text={text} chosen={chosen} voices={offered} onChange={onChange} />
      <Fault error={voices.error} retry={voices.reload} />
      {open && (
        <VoiceChooser
          voices={offered}
          value={value}
          none={none}
          onLiked={put}
          onClose={() => setOpen(false)}
          onChoose={(id) => {
            onChange(id);
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}

interface SuggestionProps {
  readonly text: string;
  readonly chosen: VoiceModel | undefined;
  readonly voices: readonly VoiceModel[];
  readonly onChange: (id: string) => void;
}

/** For a text in a language that the chosen voice is not of. The default voice fits every language. */
function Suggestion({ text, chosen, voices, onChange }: SuggestionProps) {
  const language = textLanguage(text);
  const speaks = (voice: VoiceModel) => voice.languages.some((code) => code.split("-")[0] === language);
  if (language === undefined || chosen === undefined || chosen.languages.length === 0 || speaks(chosen)) return null;
  const fitting = voices.find((voice) => voice.state === "trained" && speaks(voice));
  if (fitting === undefined) return null;
  return (
    <Notice>
      <div className="stack tight">
        The text seems to be {factsOf({ languages: [language], tags: [] }).language}.
        <Button onClick={() => onChange(fitting._id)}>Use {fitting.title}</Button>
      </div>
    </Notice>
  );
}
