import { PROJECT_LIMITS, type ProjectChange, type ProjectRecord } from "@parlance/protocol";
import { type RefObject, useEffect, useRef, useState } from "react";
import { type Action, useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Empty, Fault } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { type Place, renameChapter } from "./edit-chapters.ts";
import { ParagraphEditor } from "./paragraph-editor.tsx";
import { ParagraphRow } from "./paragraph-row.tsx";
import type { Listening } from "./use-listen.ts";
import type { ProjectActions } from "./use-project-actions.ts";

interface ChapterViewProps {
  readonly project: ProjectRecord;
  readonly actions: ProjectActions;
  readonly listen: Listening;
  /** The title of a voice by its id. */
  readonly titleOf: (voice: string) => string;
}

const PAGE_SIZE = 25;

/** The paragraphs of one chapter, by page. It follows what is played. */
export function ChapterView({ project, actions, listen, titleOf }: ChapterViewProps) {
  const [chosen, setChapter] = useState(0);
  const [page, setPage] = useState(1);
  const [editing, setEditing] = useState<Place>();
  const [renaming, setRenaming] = useState(false);
  const change = useAction(actions.update);
  const { chapters } = project;
  const chapter = Math.min(chosen, Math.max(0, chapters.length - 1));
  const { place } = listen;
  const card = useRef<HTMLElement>(null);
  useEditFocus(card, editing);
  const isEditing = editing !== undefined;
  useEffect(() => {
    // A draft stays in view: neither the playback nor another page puts it away.
    if (place === undefined || isEditing) return;
    setChapter(place.chapter);
    setPage(Math.floor(place.paragraph / PAGE_SIZE) + 1);
  }, [place, isEditing]);
  const show = (next: number) => {
    setChapter(next);
    setPage(1);
  };
  const paragraphs = chapters[chapter]?.paragraphs ?? [];
  const shown = Math.min(page, Math.max(1, Math.ceil(paragraphs.length / PAGE_SIZE)));
  const first = (shown - 1) * PAGE_SIZE;
  const end = { chapter, paragraph: paragraphs.length };
  const add = () => {
    setPage(Math.floor(end.paragraph / PAGE_SIZE) + 1);
    setEditing(end);
  };
  return (
    <section ref={card} className="card stack" aria-label="Text">
      {chapters.length > 0 && (
        <div className="chapter-head">
          <SelectField
            label="Chapter"
            value={chapter}
            disabled={isEditing}
            onChange={(event) => show(Number(event.target.value))}
          >
            {chapters.map(({ title }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a chapter is its place.
              <option key={index} value={index}>
                {index + 1}. {title}
              </option>
            ))}
          </SelectField>
          <Button icon="edit" onClick={() => setRenaming(true)}>
            Rename
          </Button>
        </div>
      )}
      <ol className="paragraphs" aria-label="Paragraphs">
        {paragraphs.slice(first, first + PAGE_SIZE).map((paragraph, offset) => {
          const at = { chapter, paragraph: first + offset };
          return isAt(editing, at) ? (
            <li key={`edit-${chapter}-${at.paragraph}`}>
              <ParagraphEditor project={project} place={at} change={change} onClose={() => setEditing(undefined)} />
            </li>
          ) : (
            <ParagraphRow
              key={at.paragraph}
              paragraph={paragraph}
              place={at}
              isCurrent={isAt(place, at)}
              voiceTitle={titleOf(paragraph.voice)}
              isBusy={actions.speak.busy}
              listen={listen}
              onEdit={() => setEditing(at)}
              onSpeak={() => void actions.speak.run(at)}
            />
          );
        })}
      </ol>
      {paragraphs.length === 0 && !isEditing && (
        <Empty icon="projects" title="There is no text here yet">
          <p>Add a paragraph. An empty line in it begins another one.</p>
        </Empty>
      )}
      {isAt(editing, end) ? (
        <ParagraphEditor project={project} place={end} change={change} onClose={() => setEditing(undefined)} />
      ) : (
        <div>
          <Button icon="plus" data-edits={end.paragraph} onClick={add}>
            Add a paragraph
          </Button>
        </div>
      )}
      <Fault error={change.error} />
      {!isEditing && <Pager page={shown} size={PAGE_SIZE} total={paragraphs.length} onChange={setPage} />}
      {renaming && (
        <RenameDialog
          title={chapters[chapter]?.title ?? ""}
          onClose={() => setRenaming(false)}
          change={change}
          rename={(title) => renameChapter(chapters, chapter, title)}
        />
      )}
    </section>
  );
}

const isAt = (place: Place | undefined, { chapter, paragraph }: Place): boolean =>
  place?.chapter === chapter && place.paragraph === paragraph;

/** The pressed button goes away, and the focus would go with it. */
function useEditFocus(card: RefObject<HTMLElement | null>, editing: Place | undefined): void {
  const before = useRef<Place>(undefined);
  useEffect(() => {
    const button = `[data-edits="${before.current?.paragraph}"]`;
    const next = editing !== undefined ? "textarea" : before.current !== undefined ? button : undefined;
    before.current = editing;
    if (next !== undefined) card.current?.querySelector<HTMLElement>(next)?.focus();
  }, [card, editing]);
}

interface RenameDialogProps {
  readonly title: string;
  readonly change: Action<[ProjectChange]>;
  readonly rename: (title: string) => ReturnType<typeof renameChapter>;
  readonly onClose: () => void;
}

function RenameDialog({ title: before, change, rename, onClose }: RenameDialogProps) {
  const [title, setTitle] = useState(before);
  const submit = {
    ...change,
    run: async () => {
      const isDone = await change.run({ chapters: rename(title) });
      if (isDone) onClose();
      return isDone;
    },
  };
  return (
    <FormDialog title="Rename the chapter" verb="Rename" action={submit} onClose={onClose}>
      <TextField
        label="Title"
        value={title}
        maxLength={PROJECT_LIMITS.titleCharacters}
        hint="It names the chapter in an m4b, and its file. It is not spoken."
        onChange={(event) => setTitle(event.target.value)}
      />
    </FormDialog>
  );
}
