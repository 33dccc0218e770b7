import { VOICE_LIMITS } from "@parlance/protocol";
import { useRef } from "react";
import { formatBytes, formatClock } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { DropArea } from "../../ui/drop-area.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type CheckedRecording, isShort } from "./check-recording.ts";
import { RecordingPlayer } from "./recording-player.tsx";
import { VoiceRecorder } from "./voice-recorder.tsx";

interface RecordingListProps {
  readonly recordings: readonly CheckedRecording[];
  readonly onAdd: (files: readonly File[]) => Promise<unknown>;
  readonly onRemove: (recording: CheckedRecording) => void;
}

/** The recordings of a new voice: dropped, chosen or recorded here. */
export function RecordingList({ recordings, onAdd, onRemove }: RecordingListProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="stack tight">
      <h3>Recordings</h3>
      <DropArea className="drop small" onFiles={(files) => void onAdd(files)}>
        <Icon name="upload" />
        <p>
          Drop recordings here. One speaker, no music, little noise: 10 to 60 seconds work best. Up to{" "}
          {VOICE_LIMITS.files} files.
        </p>
        <Button icon="upload" onClick={() => input.current?.click()}>
          Add files
        </Button>
      </DropArea>
      <VoiceRecorder onRecorded={(file) => onAdd([file])} />
      <ul className="stack tight">
        {recordings.map((recording) => (
          <RecordingItem
            key={recording.file.name + recording.file.lastModified}
            recording={recording}
            onRemove={() => onRemove(recording)}
          />
        ))}
      </ul>
      {isShort(recordings) && (
        <Notice tone="warn">Together the recordings are short: 10 seconds or more give a closer match.</Notice>
      )}
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

interface RecordingItemProps {
  readonly recording: CheckedRecording;
  readonly onRemove: () => void;
}

function RecordingItem({ recording: { file, seconds, refusal, warnings }, onRemove }: RecordingItemProps) {
  return (
    <li className="stack tight">
      <div className="row apart">
        <span className="cut grow">
          {file.name}{" "}
          <span className="soft small">
            {seconds === undefined ? "" : `${formatClock(seconds)}, `}
            {formatBytes(file.size)}
          </span>
        </span>
        <RecordingPlayer file={file} label={`Play ${file.name}`} />
        <Button look="quiet" icon="trash" aria-label={`Remove ${file.name}`} onClick={onRemove} />
      </div>
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
    </li>
  );
}
