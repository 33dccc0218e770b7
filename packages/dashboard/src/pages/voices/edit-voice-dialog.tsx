import { VISIBILITIES, VOICE_LIMITS, type VoiceModel } from "@parlance/protocol";
import { type SyntheticEvent, useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Fault } from "../../ui/notice.tsx";

export const VISIBILITY_MEANING = {
  private: "only I",
  unlist: "whoever knows its id",
  public: "everybody on this server",
} as const;

interface EditVoiceProps {
  readonly voice: VoiceModel;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export function EditVoiceDialog({ voice, onClose, onSaved }: EditVoiceProps) {
  const [title, setTitle] = useState(voice.title);
  const [description, setDescription] = useState(voice.description);
  const [tags, setTags] = useState(voice.tags.join(", "));
  const [visibility, setVisibility] = useState(voice.visibility);
  const action = useAction((signal) =>
    client.voices.update(voice._id, { title, description, tags: tagsOf(tags), visibility }, { signal }),
  );
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!(await action.run())) return;
    onSaved();
    onClose();
  };
  return (
    <Dialog title="Edit the voice" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Title"
          required
          maxLength={VOICE_LIMITS.titleCharacters}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <TextArea label="Description" value={description} onChange={(event) => setDescription(event.target.value)} />
        <TextField
          label="Tags"
          value={tags}
          hint="With commas between."
          onChange={(event) => setTags(event.target.value)}
        />
        <SelectField
          label="Who may use it"
          value={visibility}
          onChange={(event) => setVisibility(VISIBILITIES.find((each) => each === event.target.value) ?? "private")}
        >
          {VISIBILITIES.map((each) => (
            <option key={each} value={each}>
              {VISIBILITY_MEANING[each]}
            </option>
          ))}
        </SelectField>
        <Fault error={action.error} />
        <div className="row">
          <Button type="submit" look="primary" busy={action.busy}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

export function tagsOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}
