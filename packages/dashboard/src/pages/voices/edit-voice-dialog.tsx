import type { VoiceModel } from "@parlance/protocol";
import { useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { refinementText } from "./refinement-text.ts";
import { TitleField, toRequest, type VoiceDetails, VoiceFields } from "./voice-fields.tsx";

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
  const [refine, setRefine] = useState(false);
  const action = useAction(async (signal) => {
    await client.voices.update(
      voice._id,
      { title, ...toRequest(details), ...(refine && { refinement: "waiting" }) },
      { signal },
    );
    onSaved();
    onClose();
  });
  const text = refinementText(voice);
  const hasFailed = voice.refinement === "failed";
  return (
    <FormDialog title="Edit the voice" verb="Save" action={action} onClose={onClose}>
      <TitleField value={title} onChange={setTitle} />
      <VoiceFields value={details} onChange={setDetails} />
      {text && <Notice tone={hasFailed ? "warn" : "info"}>{text}</Notice>}
      {hasFailed && (
        <label className="check">
          <input type="checkbox" checked={refine} onChange={(event) => setRefine(event.target.checked)} />
          Try again
        </label>
      )}
    </FormDialog>
  );
}
