import type { VoiceModel } from "@parlance/protocol";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { useRefresh } from "../../lib/use-refresh.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Fault, Notice } from "../../ui/notice.tsx";
import { RecordingPlayer } from "./recording-player.tsx";
import { refinementText } from "./refinement-text.ts";
import { SampleButton } from "./sample-button.tsx";

interface CreatedVoiceProps {
  readonly voice: VoiceModel;
  readonly recording: File;
  readonly onClose: () => void;
}

/** The recording and the new voice, and how far its refinement is. */
export function CreatedVoice({ voice: created, recording, onClose }: CreatedVoiceProps) {
  const loaded = useLoad((signal) => client.voices.get(created._id, { signal }), [created._id]);
  const voice = loaded.data ?? created;
  const { refinement } = voice;
  useRefresh(loaded.reload, refinement === "waiting" || refinement === "running" || loaded.data === undefined);
  const text = refinementText(voice);
  return (
    <Dialog title={`“${voice.title}” can speak`} onClose={onClose}>
      <div className="compare">
        <div className="stack tight">
          <h3>Recording</h3>
          <RecordingPlayer file={recording} label="Play the recording" text="Play" />
        </div>
        <div className="stack tight">
          <h3>New voice</h3>
          <SampleButton key={voice.samples[0]?.audio} voice={voice} />
        </div>
      </div>
      {text && (
        <Notice tone={refinement === "failed" ? "warn" : refinement === "done" ? "good" : "info"}>{text}</Notice>
      )}
      <Fault error={loaded.error} />
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </Dialog>
  );
}
