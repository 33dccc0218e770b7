import { creditsForText, PROJECT_LIMITS, type SplitChapter } from "@parlance/protocol";
import { type DragEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import { formatNumber } from "../../lib/format.ts";
import { go } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { usePrices } from "../../lib/use-prices.ts";
import { useStored } from "../../lib/use-stored.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { countParagraphs, fitChapters } from "./fit-chapters.ts";
import { divide, readSource, type Source } from "./read-source.ts";
import { TitleField } from "./title-field.tsx";

/** Takes a title and a text: pasted, opened or dropped. */
export function NewProjectDialog({ onClose }: { readonly onClose: () => void }) {
  // Closing the dialog loses nothing.
  const [title, setTitle] = useStored("projects.title", "");
  const [text, setText] = useStored("projects.text", "");
  const [source, setSource] = useState<Source & { readonly file: string }>();
  const input = useRef<HTMLInputElement>(null);
  const opening = useAction(async (signal, file: File) => {
    const read = await readSource(file);
    if (signal.aborted) return;
    setSource({ ...read, file: file.name });
    setTitle(read.title);
  });
  const open = ([file]: readonly File[]) => {
    if (file) void opening.run(file);
  };
  const pasted = useDeferredValue(text);
  const chapters = useMemo(() => source?.chapters ?? divide(title, pasted).chapters, [source, title, pasted]);
  const create = useAction(async (signal) => {
    const content = source?.chapters ?? fitChapters(divide(title, text).chapters);
    const { _id } = await client.projects.create({ title, chapters: toBody(content) }, { signal });
    setTitle("");
    setText("");
    go(`projects/${_id}`);
  });
  const drop = (event: DragEvent) => {
    event.preventDefault();
    open([...event.dataTransfer.files]);
  };
  const isEmpty = title.trim() === "" || chapters.length === 0;
  return (
    <FormDialog
      title="New project"
      verb="Create the project"
      action={create}
      error={opening.error}
      disabled={isEmpty || opening.busy}
      onClose={onClose}
    >
      <TitleField value={title} onChange={setTitle} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is an alternative to the button. */}
      <div className="stack" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        {source === undefined ? (
          <TextArea
            label="Text"
            value={text}
            maxLength={PROJECT_LIMITS.bodyBytes}
            hint="Headings (# One, or Chapter 1) begin chapters, and empty lines separate paragraphs."
            onChange={(event) => setText(event.target.value)}
          />
        ) : (
          <div className="row apart">
            <strong className="cut grow">{source.file}</strong>
            <Button onClick={() => setSource(undefined)}>Type a text instead</Button>
          </div>
        )}
        <div className="row">
          <Button icon="upload" busy={opening.busy} onClick={() => input.current?.click()}>
            Open a file
          </Button>
          <span className="small soft">Text, Markdown or EPUB. You can also drop it here.</span>
        </div>
      </div>
      <FileInput
        ref={input}
        label="Text, Markdown or EPUB"
        accept=".txt,.md,.markdown,.epub,text/plain,text/markdown,application/epub+zip"
        onFiles={open}
      />
      <Summary chapters={chapters} />
    </FormDialog>
  );
}

function Summary({ chapters }: { readonly chapters: readonly SplitChapter[] }) {
  const prices = usePrices();
  if (chapters.length === 0) return null;
  const credits = chapters
    .flatMap(({ paragraphs }) => paragraphs)
    .reduce((sum, { text }) => sum + creditsForText(text, prices), 0);
  return (
    <p className="small soft" role="status">
      {formatNumber(chapters.length)} {chapters.length === 1 ? "chapter" : "chapters"},{" "}
      {formatNumber(countParagraphs(chapters))} paragraphs, {formatNumber(credits)} credits to speak all of it.
    </p>
  );
}

const toBody = (chapters: readonly SplitChapter[]) =>
  chapters.map(({ title, paragraphs }) => ({ title, paragraphs: [...paragraphs] }));
