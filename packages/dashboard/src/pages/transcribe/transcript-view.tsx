import { type AsrSegment, HISTORY_LIMITS } from "@parlance/protocol";
import { type ReactNode, useState } from "react";
import { RecordedText } from "../../audio/recorded-text.tsx";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Fault, Notice } from "../../ui/notice.tsx";
import { SpeakerNames, speakersOf } from "./speaker-names.tsx";
import { TranscriptDownloads } from "./transcript-downloads.tsx";
import { type EditedTranscript, TranscriptEditor } from "./transcript-editor.tsx";

interface TranscriptViewProps {
  readonly name: string;
  readonly recording: Blob | undefined;
  readonly text: string;
  readonly words: readonly AsrSegment[];
  readonly duration: number;
  readonly language: string | null;
  /** Keeps what was edited. */
  readonly save: (edited: EditedTranscript, signal: AbortSignal) => Promise<void>;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** A transcript to play, to edit, to name its speakers, and to download. */
export function TranscriptView({
  name,
  recording,
  text,
  words,
  duration,
  language,
  save,
  children,
}: TranscriptViewProps) {
  const [editing, setEditing] = useState(false);
  const saving = useAction((signal, edited: EditedTranscript) => save(edited, signal));
  const keep = async (edited: EditedTranscript) => {
    if (edited.words.length > HISTORY_LIMITS.words) return;
    if (await saving.run(edited)) setEditing(false);
  };
  return (
    <>
      {editing ? (
        <TranscriptEditor
          {...{ text, words }}
          busy={saving.busy}
          onSave={(edited) => void keep(edited)}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <RecordedText recording={recording} text={text} words={words} />
      )}
      {!editing && speakersOf(words).length > 0 && (
        <SpeakerNames words={words} onRename={(renamed) => void keep({ text, words: renamed })} />
      )}
      <Fault error={saving.error} />
      {words.length > HISTORY_LIMITS.words && <Notice>This transcript is too long to be edited here.</Notice>}
      {!editing && (
        <div className="row">
          <Button icon="edit" disabled={words.length > HISTORY_LIMITS.words} onClick={() => setEditing(true)}>
            Edit
          </Button>
          <TranscriptDownloads {...{ name, text, duration, language }} segments={words} />
          {children}
        </div>
      )}
    </>
  );
}
