import { type AsrSegment, HISTORY_LIMITS, turnsOf } from "@parlance/protocol";
import { useState } from "react";
import { formatClock } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { realignWords } from "./realign-words.ts";

export interface EditedTranscript {
  readonly text: string;
  readonly words: readonly AsrSegment[];
}

interface TranscriptEditorProps extends EditedTranscript {
  readonly busy: boolean;
  readonly onSave: (edited: EditedTranscript) => void;
  readonly onCancel: () => void;
}

/** The text to edit: as a whole, or turn by turn where it has speakers. */
export function TranscriptEditor({ text, words, busy, onSave, onCancel }: TranscriptEditorProps) {
  const turns = turnsOf(words);
  const bySpeaker = words.some(({ speaker }) => speaker !== undefined);
  const [texts, setTexts] = useState(() =>
    bySpeaker ? turns.map(({ segments }) => segments.map((word) => word.text).join(" ")) : [text],
  );
  const save = () => {
    if (!bySpeaker) return onSave({ text: texts[0] ?? "", words: realignWords(words, texts[0] ?? "") });
    const edited = turns.flatMap(({ segments }, index) => realignWords(segments, texts[index] ?? ""));
    onSave({ text: texts.filter((each) => each.trim() !== "").join(" "), words: edited });
  };
  return (
    <section className="stack" aria-label="Edit the transcript">
      {texts.map((each, index) => {
        const { speaker, segments } = turns[index] ?? { speaker: undefined, segments: [] };
        const label = bySpeaker ? `${speaker ?? "No speaker"}, ${formatClock(segments[0]?.start ?? 0)}` : "Text";
        return (
          <TextArea
            // biome-ignore lint/suspicious/noArrayIndexKey: turns are neither added nor moved here.
            key={index}
            label={label}
            value={each}
            rows={Math.min(12, Math.max(2, Math.ceil(each.length / 80)))}
            maxLength={HISTORY_LIMITS.textCharacters}
            onChange={({ target }) => setTexts(texts.map((other, at) => (at === index ? target.value : other)))}
          />
        );
      })}
      <div className="row">
        <Button look="primary" icon="check" busy={busy} onClick={save}>
          Save the text
        </Button>
        <Button disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  );
}
