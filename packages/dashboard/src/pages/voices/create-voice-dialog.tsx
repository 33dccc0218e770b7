import { VOICE_LIMITS } from "@parlance/protocol";
import { useRef, useState } from "react";
import { useRecorder } from "../../audio/use-recorder.ts";
import { formatBytes, formatClock } from "../../lib/format.ts";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Fault, Notice } from "../../ui/notice.tsx";
import { type CheckedRecording, checkRecording, isShort } from "./check-recording.ts";
import { TitleField, toRequest, type VoiceDetails, VoiceFields } from "./voice-fields.tsx";

const READ_ALOUD_TEXT =
  "The old lighthouse stood at the very end of the road, where the wind never rested. Every evening, just before seven, somebody would climb the narrow stairs, light the lamp, and wait for the ships to answer. I have always liked the sound of that silence.";

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
  const [waitReason, setWaitReason] = useState<string>();
  const create = useAction(async (signal) => {
    setWaitReason(undefined);
    await client.voices.create(
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
    onClose();
  });
  const isReady = recordings.length > 0 && recordings.every((each) => each.refusal === undefined) && consent;
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
      <Recordings
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

interface RecordingsProps {
  readonly recordings: readonly CheckedRecording[];
  readonly onAdd: (files: readonly File[]) => Promise<unknown>;
  readonly onRemove: (recording: CheckedRecording) => void;
}

function Recordings({ recordings, onAdd, onRemove }: RecordingsProps) {
  const input = useRef<HTMLInputElement>(null);
  const recorder = useRecorder();
  const stop = async () => {
    const file = await recorder.stop();
    if (file) await onAdd([file]);
  };
  return (
    <div className="stack tight">
      <h3>Recordings</h3>
      <p className="small soft">
        One speaker, no music, little noise: 10 to 60 seconds work best. Up to {VOICE_LIMITS.files} files.
      </p>
      <ul className="stack tight">
        {recordings.map((recording) => (
          <li key={recording.file.name + recording.file.lastModified} className="stack tight">
            <div className="row apart">
              <span className="cut grow">
                {recording.file.name}{" "}
                <span className="soft small">
                  {recording.seconds === undefined ? "" : `${formatClock(recording.seconds)}, `}
                  {formatBytes(recording.file.size)}
                </span>
              </span>
              <Button
                look="quiet"
                icon="trash"
                aria-label={`Remove ${recording.file.name}`}
                onClick={() => onRemove(recording)}
              />
            </div>
            {recording.refusal && <Notice tone="bad">{recording.refusal}</Notice>}
            {recording.warnings.map((warning) => (
              <Notice key={warning} tone="warn">
                {warning}
              </Notice>
            ))}
          </li>
        ))}
      </ul>
      {isShort(recordings) && (
        <Notice tone="warn">Together the recordings are short: 10 seconds or more give a closer match.</Notice>
      )}
      {recorder.recording && (
        <div className="stack tight">
          <p>
            Read aloud: <em>{READ_ALOUD_TEXT}</em>
          </p>
          <meter aria-label="Level" min={0} max={1} value={recorder.level} />
        </div>
      )}
      <div className="row">
        <Button icon="upload" disabled={recorder.recording} onClick={() => input.current?.click()}>
          Add files
        </Button>
        {recorder.recording ? (
          <Button look="danger" icon="stop" onClick={() => void stop()}>
            Stop ({formatClock(recorder.seconds)})
          </Button>
        ) : (
          <Button icon="record" onClick={() => void recorder.start()}>
            Record yourself
          </Button>
        )}
      </div>
      <Fault error={recorder.error} />
      <FileInput
        ref={input}
        label="Recordings"
        accept="audio/*,.opus,.amr"
        multiple
        onFiles={(files) => void onAdd(files)}
      />
    </div>
  );
}
