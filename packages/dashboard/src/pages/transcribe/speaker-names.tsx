import type { AsrSegment } from "@parlance/protocol";
import { HISTORY_LIMITS } from "@parlance/protocol";
import { type FormEvent, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";

interface SpeakerNamesProps {
  readonly words: readonly AsrSegment[];
  readonly onRename: (words: readonly AsrSegment[]) => void;
}

export function speakersOf(words: readonly AsrSegment[]): readonly string[] {
  return [...new Set(words.flatMap(({ speaker }) => speaker ?? []))];
}

/** Names for the speakers of a transcript. Two with the same name become one. */
export function SpeakerNames({ words, onRename }: SpeakerNamesProps) {
  const speakers = speakersOf(words);
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const nameOf = (speaker: string): string => names[speaker] ?? speaker;
  const isChanged = speakers.some((speaker) => nameOf(speaker).trim() !== speaker && nameOf(speaker).trim() !== "");
  const rename = (event: FormEvent) => {
    event.preventDefault();
    onRename(
      words.map((word) =>
        word.speaker === undefined ? word : { ...word, speaker: nameOf(word.speaker).trim() || word.speaker },
      ),
    );
    setNames({});
  };
  return (
    <form className="row bottom" aria-label="Speakers" onSubmit={rename}>
      {speakers.map((speaker) => (
        <TextField
          key={speaker}
          label={`Name of ${speaker}`}
          value={nameOf(speaker)}
          maxLength={HISTORY_LIMITS.speakerCharacters}
          onChange={(event) => setNames({ ...names, [speaker]: event.target.value })}
        />
      ))}
      <Button type="submit" disabled={!isChanged}>
        Rename
      </Button>
    </form>
  );
}
