import type { ProjectChange, ProjectRecord } from "@parlance/protocol";
import { useState } from "react";
import type { Action } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Options, SelectField, TextArea } from "../../ui/field.tsx";
import { VoicePicker } from "../voices/voice-picker.tsx";
import { type Place, replaceParagraph } from "./edit-chapters.ts";

interface ParagraphEditorProps {
  readonly project: ProjectRecord;
  readonly place: Place;
  readonly change: Action<[ProjectChange]>;
  readonly onClose: () => void;
}

const AS_SPEAKER = { title: "As the speaker", facts: "or as the project, without a speaker" };

/** The text of a paragraph, who speaks it, and a voice of its own. */
export function ParagraphEditor({ project, place, change, onClose }: ParagraphEditorProps) {
  const before = project.chapters[place.chapter]?.paragraphs[place.paragraph];
  const [text, setText] = useState(before?.text ?? "");
  const [speaker, setSpeaker] = useState(before?.speaker ?? "");
  const [voice, setVoice] = useState(before?.voice ?? "");
  const names = new Set([...Object.keys(project.speakers), ...(speaker === "" ? [] : [speaker])]);
  const save = async (newText: string) => {
    const chapters = replaceParagraph(project.chapters, place, { text: newText, voice, speaker });
    if (await change.run({ chapters })) onClose();
  };
  return (
    <div className="paragraph stack">
      <TextArea
        label={`Paragraph ${place.paragraph + 1}`}
        value={text}
        hint="An empty line divides it into two."
        onChange={(event) => setText(event.target.value)}
      />
      {names.size > 0 && (
        <SelectField label="Speaker" value={speaker} onChange={(event) => setSpeaker(event.target.value)}>
          <option value="">none</option>
          <Options values={[...names]} />
        </SelectField>
      )}
      <VoicePicker
        label="This paragraph"
        value={voice}
        none={AS_SPEAKER}
        keepsUnknown
        text={text}
        onChange={setVoice}
      />
      <div className="row">
        <Button
          look="primary"
          busy={change.busy}
          disabled={before === undefined && text.trim() === ""}
          onClick={() => void save(text)}
        >
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        {before !== undefined && (
          <Button look="danger" icon="trash" disabled={change.busy} onClick={() => void save("")}>
            Remove
          </Button>
        )}
      </div>
    </div>
  );
}
