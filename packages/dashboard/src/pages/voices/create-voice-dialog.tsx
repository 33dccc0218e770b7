import { VOICE_LIMITS, type VoiceModel } from "@parlance/protocol";
import { useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Fault, Notice } from "../../ui/notice.tsx";
import { type CheckedRecording, checkRecording } from "./check-recording.ts";
import { CreatedVoice } from "./created-voice.tsx";
import { RecordingList } from "./recording-list.tsx";
import { TitleField, toRequest, type VoiceDetails, VoiceFields } from "./voice-fields.tsx";
import "./clone.css";

interface CreateVoiceProps {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** Creates a voice from files or the microphone. Recordings are checked before they are sent. */
export function CreateVoiceDialog({ onClose, onCreated }: CreateVoiceProps) {
  const [title, setTitle] = useState("");
  const [details, setDetails] = useState<VoiceDetails>({ description: "", tags: "", visibility: "private" });
  const [enhance, setEnhance] = useState(false);
  const [consent, setConsent] = useState(false);
  const [recordings, setRecordings] = useState<readonly CheckedRecording[]>([]);
  const add = useAction(async (_signal, files: readonly File[]) => {
    const checked = await Promise.all(files.map(checkRecording));
    setRecordings((before) => [...before, ...checked].slice(0, VOICE_LIMITS.files));
  });
  const [created, setCreated] = useState<VoiceModel>();
  const [waitReason, setWaitReason] = useState<string>();
  const create = useAction(async (signal) => {
    setWaitReason(undefined);
    const voice = await client.voices.create(
      {
        title,
        voices: recordings.map(({ file }) => file),
        ...toRequest(details),
        enhance_audio_quality: enhance,
        consent: "The speaker agreed to this voice being made.",
      },
      { signal, onWait: (reason) => setWaitReason(reason.message) },
    );
    onCreated();
    setCreated(voice);
  });
  const isReady = recordings.length > 0 && recordings.every((each) => each.refusal === undefined) && consent;
  const first = recordings[0]?.file;
  if (created !== undefined && first !== undefined) {
    return <CreatedVoice voice={created} recording={first} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Clone a voice"
      verb="Create the voice"
      action={create}
      disabled={!isReady}
      cancelsAction
      onClose={onClose}
    >
      <TitleField value={title} onChange={setTitle} />
      <RecordingList
        recordings={recordings}
        onAdd={add.run}
        onRemove={(removed) => setRecordings(recordings.filter((each) => each !== removed))}
      />
      <Fault error={add.error} />
      <VoiceFields value={details} onChange={setDetails} />
      <label className="check">
        <input type="checkbox" checked={enhance} onChange={(event) => setEnhance(event.target.checked)} />
        Remove noise from the recordings first
      </label>
      <label className="check">
        <input type="checkbox" required checked={consent} onChange={(event) => setConsent(event.target.checked)} />
        The speaker agreed to the creation of this voice
      </label>
      {create.busy && waitReason !== undefined && (
        <Notice tone="warn">{waitReason}. This is needed only once. The voice is created right after it.</Notice>
      )}
    </FormDialog>
  );
}
