import { useRef } from "react";
import { useRecorder } from "../../audio/use-recorder.ts";
import { formatClock } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { DropArea } from "../../ui/drop-area.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Fault } from "../../ui/notice.tsx";

/** Takes recordings: dropped, chosen, or from the microphone. */
export function RecordingInput({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const recorder = useRecorder();
  const stop = async () => {
    const file = await recorder.stop();
    if (file) onFiles([file]);
  };
  return (
    <DropArea className="card drop" onFiles={onFiles}>
      <Icon name="upload" />
      <p>Drop an audio file here: wav, mp3, opus, flac, m4a, webm…</p>
      <div className="row">
        <Button look="primary" icon="upload" disabled={recorder.recording} onClick={() => input.current?.click()}>
          Choose files
        </Button>
        {recorder.recording ? (
          <Button look="danger" icon="stop" onClick={() => void stop()}>
            Stop and transcribe ({formatClock(recorder.seconds)})
          </Button>
        ) : (
          <Button icon="record" onClick={() => void recorder.start()}>
            Record
          </Button>
        )}
      </div>
      {recorder.recording && (
        <div className="meter" style={{ width: "12rem" }}>
          <div style={{ width: `${recorder.level * 100}%` }} />
        </div>
      )}
      <Fault error={recorder.error} />
      <FileInput
        ref={input}
        label="Audio files"
        accept="audio/*,video/mp4,video/webm,.opus,.amr"
        multiple
        onFiles={onFiles}
      />
    </DropArea>
  );
}
