import { PROJECT_FORMATS, type ProjectRecord, projectFileName, SUBTITLE_FORMATS } from "@parlance/protocol";
import { useState } from "react";
import { saveFile } from "../../lib/save-file.ts";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Options, SelectField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Fault } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { spokenShare } from "./edit-chapters.ts";

const FILES = [
  { value: "one", label: "One file" },
  { value: "chapters", label: "One for each chapter" },
] as const;

/** Saves the audio, with or without subtitles. */
export function ExportCard({ project }: { readonly project: ProjectRecord }) {
  const [formatName, setFormat] = useState("mp3");
  const [files, setFiles] = useState<(typeof FILES)[number]["value"]>("one");
  const [subtitleName, setSubtitles] = useState("");
  const { spoken, total } = spokenShare(project.chapters);
  const isComplete = total > 0 && spoken >= total;
  const format = PROJECT_FORMATS.find((each) => each === formatName) ?? "mp3";
  const subtitles = SUBTITLE_FORMATS.find((each) => each === subtitleName);
  return (
    <section className="card stack" aria-label="Export">
      <h2>Export</h2>
      <Tabs label="Files" value={files} options={FILES} onChange={setFiles} />
      <SelectField
        label="Audio format"
        value={format}
        hint={format === "m4b" ? "An audiobook with chapters." : undefined}
        onChange={(event) => setFormat(event.target.value)}
      >
        <Options values={PROJECT_FORMATS} />
      </SelectField>
      <SelectField label="Subtitles" value={subtitleName} onChange={(event) => setSubtitles(event.target.value)}>
        <option value="">none</option>
        <Options values={SUBTITLE_FORMATS} />
      </SelectField>
      {!isComplete && <p className="small soft">Files can be saved when every paragraph is spoken.</p>}
      {isComplete && files === "one" && <OneFile project={project} format={format} subtitles={subtitles} />}
      {isComplete && files === "chapters" && <EachChapter project={project} format={format} subtitles={subtitles} />}
    </section>
  );
}

interface ExportProps {
  readonly project: ProjectRecord;
  readonly format: (typeof PROJECT_FORMATS)[number];
  readonly subtitles: (typeof SUBTITLE_FORMATS)[number] | undefined;
}

/** Links of the browser: an audiobook need not fit into memory. */
function OneFile({ project, format, subtitles }: ExportProps) {
  const at = `/projects/${project._id}`;
  return (
    <div className="row">
      <a className="button primary" href={`${at}/export?format=${format}`} download>
        <Icon name="download" /> Download {format}
      </a>
      {subtitles && (
        <a className="button" href={`${at}/subtitles?format=${subtitles}`} download>
          <Icon name="download" /> Download {subtitles}
        </a>
      )}
    </div>
  );
}

/** One after the other: the server makes one export at a time. */
function EachChapter({ project, format, subtitles }: ExportProps) {
  const [done, setDone] = useState(0);
  const chapters = project.chapters.flatMap((chapter, index) => (spokenShare([chapter]).total > 0 ? [index] : []));
  const save = useAction(async (signal) => {
    setDone(0);
    for (const [count, chapter] of chapters.entries()) {
      const audio = await client.projects.export(project._id, format, chapter, { signal });
      signal.throwIfAborted();
      saveFile(projectFileName(project, chapter, format), new Blob([audio]));
      if (subtitles !== undefined) {
        const text = await client.projects.subtitles(project._id, subtitles, chapter, { signal });
        signal.throwIfAborted();
        saveFile(projectFileName(project, chapter, subtitles), text);
      }
      setDone(count + 1);
    }
  });
  return (
    <div className="stack tight">
      <div className="row">
        <Button look="primary" icon="download" busy={save.busy} onClick={() => void save.run()}>
          Download {chapters.length} {chapters.length === 1 ? "chapter" : "chapters"}
        </Button>
        {save.busy && <Button onClick={save.cancel}>Cancel</Button>}
      </div>
      {save.busy && <progress aria-label="Saved chapters" max={chapters.length} value={done} />}
      <Fault error={save.error} />
    </div>
  );
}
