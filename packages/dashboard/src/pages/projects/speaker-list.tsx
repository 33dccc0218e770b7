import { PROJECT_LIMITS, type ProjectRecord } from "@parlance/protocol";
import { useState } from "react";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Fault } from "../../ui/notice.tsx";
import { VoicePicker } from "../voices/voice-picker.tsx";
import type { UpdateProject } from "./use-project-actions.ts";

interface SpeakerListProps {
  readonly project: ProjectRecord;
  readonly update: UpdateProject;
  /** The title of a voice by its id. */
  readonly titleOf: (voice: string) => string;
}

const AS_PROJECT = { title: "As the project", facts: "no voice of its own" };

/** The speakers that paragraphs can name, and the voice of one of them. */
export function SpeakerList({ project, update, titleOf }: SpeakerListProps) {
  const change = useAction(update);
  const [name, setName] = useState("");
  const [open, setOpen] = useState<string>();
  const { speakers } = project;
  const names = Object.keys(speakers);
  const add = useAction(async () => {
    const added = name.trim();
    if (added === "" || Object.hasOwn(speakers, added)) throw new Error("Type a name that is not in the list.");
    if (await change.run({ speakers: { ...speakers, [added]: "" } })) {
      setName("");
      setOpen(added);
    }
  });
  const remove = (gone: string) =>
    void change.run({ speakers: Object.fromEntries(Object.entries(speakers).filter(([each]) => each !== gone)) });
  return (
    <section className="card stack" aria-label="Speakers">
      <h2>Speakers</h2>
      {names.length === 0 && (
        <p className="small soft">
          In a dialogue, add each person here, choose a voice, and name the speaker in the paragraphs.
        </p>
      )}
      <ul className="stack tight">
        {names.map((each) => (
          <li key={each} className="stack tight">
            <div className="row apart">
              <Button
                look="quiet"
                aria-expanded={open === each}
                onClick={() => setOpen(open === each ? undefined : each)}
              >
                {each}
                <span className="small soft">{titleOf(speakers[each] ?? "") || AS_PROJECT.title}</span>
              </Button>
              <Button
                look="quiet"
                icon="trash"
                aria-label={`Remove the speaker ${each}`}
                disabled={change.busy}
                onClick={() => remove(each)}
              />
            </div>
            {open === each && (
              <VoicePicker
                label={each}
                value={speakers[each] ?? ""}
                none={AS_PROJECT}
                keepsUnknown
                onChange={(voice) => void change.run({ speakers: { ...speakers, [each]: voice } })}
              />
            )}
          </li>
        ))}
      </ul>
      <Form action={add} className="stack tight">
        <TextField
          label="New speaker"
          value={name}
          maxLength={PROJECT_LIMITS.speakerCharacters}
          onChange={(event) => setName(event.target.value)}
        />
        <Fault error={add.error ?? change.error} />
        <div>
          <Button
            type="submit"
            icon="plus"
            busy={add.busy}
            disabled={name.trim() === "" || names.length >= PROJECT_LIMITS.speakers}
          >
            Add the speaker
          </Button>
        </div>
      </Form>
    </section>
  );
}
