import { type RefObject, useId, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { MARKS, type MarkKind } from "./marks.ts";

/** Buttons that insert marks at the cursor of a text, or around its selection. */
export function MarksToolbar({ field }: { readonly field: RefObject<HTMLTextAreaElement | null> }) {
  const [shown, setShown] = useState<MarkKind>();
  const id = useId();
  const insert = (mark: MarkKind) => {
    const area = field.current;
    if (area === null) return;
    const { selectionStart: start, selectionEnd: end, value } = area;
    const { text, from, to } = mark.insert({ text: value, from: start, to: end });
    area.focus();
    // Unlike a new value, this can be undone with the keyboard.
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, start, end);
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
    area.setSelectionRange(start + from, start + to);
  };
  return (
    <fieldset className="marks" aria-describedby={id}>
      <legend className="small soft">Marks</legend>
      <div className="row">
        {MARKS.map((mark) => (
          <Button
            key={mark.name}
            title={mark.explanation}
            onClick={() => insert(mark)}
            onFocus={() => setShown(mark)}
            onPointerEnter={() => setShown(mark)}
          >
            {mark.name}
          </Button>
        ))}
      </div>
      <p id={id} className="small soft">
        {shown?.explanation ?? "Pauses, sounds, spelling and speakers, written into the text."}
      </p>
    </fieldset>
  );
}
