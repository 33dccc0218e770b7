import type { ProjectRecord } from "@parlance/protocol";
import { useState } from "react";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Fault } from "../../ui/notice.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { fromLines, toLines } from "../account/pronunciation-lines.ts";
import { LanguageField } from "../speak/language-field.tsx";
import { SpeedField } from "../speak/speed-field.tsx";
import { VoicePicker } from "../voices/voice-picker.tsx";
import { TitleField } from "./title-field.tsx";
import type { UpdateProject } from "./use-project-actions.ts";

interface ProjectSettingsProps {
  readonly project: ProjectRecord;
  readonly update: UpdateProject;
}

/** What holds for every paragraph. */
export function ProjectSettings({ project, update }: ProjectSettingsProps) {
  const change = useAction(update);
  const [title, setTitle] = useState(project.title);
  const [language, setLanguage] = useState(project.language ?? "");
  const [speed, setSpeed] = useState(project.speed);
  const [words, setWords] = useState(() => toLines(project.pronunciations));
  const showToast = useToast();
  const save = useAction(async () => {
    if (await change.run({ title, language, speed, pronunciations: fromLines(words) })) showToast("Saved");
  });
  return (
    <section className="card stack" aria-label="Settings">
      <VoicePicker
        value={project.voice}
        keepsUnknown
        text={
          project.chapters[0]?.paragraphs
            .map(({ text }) => text)
            .join(" ")
            .slice(0, 500) ?? ""
        }
        onChange={(voice) => void change.run({ voice })}
      />
      <p className="small soft">Paragraphs that a change concerns are spoken again, the others keep their audio.</p>
      <Fault error={change.error} />
      <details>
        <summary>Title, language, speed, pronunciations</summary>
        <Form action={save}>
          <TitleField value={title} onChange={setTitle} />
          <LanguageField value={language} onChange={setLanguage} />
          <SpeedField value={speed} onChange={setSpeed} />
          <TextArea
            label="Pronunciations"
            value={words}
            onChange={(event) => setWords(event.target.value)}
            hint="One line for each word: GIF = jiff, or phonemes between slashes: Nguyen = /nwˈɪn/"
          />
          <Fault error={save.error} />
          <div>
            <Button type="submit" look="primary" busy={save.busy}>
              Save the settings
            </Button>
          </div>
        </Form>
      </details>
    </section>
  );
}
