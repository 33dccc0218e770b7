import { VOICE_LIMITS, type VoiceModel } from "@parlance/protocol";
import { type SyntheticEvent, useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Fault } from "../../ui/notice.tsx";
import { toRequest, type VoiceDetails, VoiceFields } from "./voice-fields.tsx";

interface EditVoiceProps {
  readonly voice: VoiceModel;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export function EditVoiceDialog({ voice, onClose, onSaved }: EditVoiceProps) {
  const [title, setTitle] = useState(voice.title);
  const [details, setDetails] = useState<VoiceDetails>({
    description: voice.description,
    tags: voice.tags.join(", "),
    visibility: voice.visibility,
  });
  const action = useAction((signal) => client.voices.update(voice._id, { title, ...toRequest(details) }, { signal }));
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
        <VoiceFields value={details} onChange={setDetails} />
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
