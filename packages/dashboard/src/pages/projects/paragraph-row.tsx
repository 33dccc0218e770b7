import { isSpoken, type ProjectParagraph } from "@parlance/protocol";
import { useEffect, useRef } from "react";
import { formatClock } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import type { Place } from "./edit-chapters.ts";
import type { Listening } from "./use-listen.ts";

interface ParagraphRowProps {
  readonly paragraph: ProjectParagraph;
  readonly place: Place;
  readonly isCurrent: boolean;
  readonly voiceTitle: string;
  readonly isBusy: boolean;
  readonly listen: Listening;
  readonly onEdit: () => void;
  readonly onSpeak: () => void;
}

export function ParagraphRow(props: ParagraphRowProps) {
  const { paragraph, place, isCurrent, voiceTitle, isBusy, listen, onEdit, onSpeak } = props;
  const { text, speaker, duration } = paragraph;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent && row.current) follow(row.current);
  }, [isCurrent]);
  const name = `paragraph ${place.paragraph + 1}`;
  return (
    <li ref={row} className="paragraph" aria-current={isCurrent ? "true" : undefined}>
      <p className="text">{text}</p>
      <div className="row apart">
        <span className="small soft row">
          {speaker !== "" && <span className="badge accent">{speaker}</span>}
          {voiceTitle !== "" && <span className="badge">{voiceTitle}</span>}
          {duration !== null && <span className="number">{formatClock(Math.ceil(duration))}</span>}
          {duration === null && (isSpoken(paragraph) ? "not spoken yet" : "nothing to speak")}
        </span>
        <span className="row">
          {duration !== null && (
            <Button
              look="quiet"
              icon={isCurrent ? "stop" : "play"}
              aria-label={isCurrent ? `Stop at ${name}` : `Listen from ${name}`}
              onClick={isCurrent ? listen.stop : () => listen.play(place)}
            />
          )}
          <Button look="quiet" icon="edit" aria-label={`Edit ${name}`} data-edits={place.paragraph} onClick={onEdit} />
          <Button
            look="quiet"
            icon="refresh"
            aria-label={`Speak ${name} again`}
            title="Speak it again"
            disabled={isBusy || !isSpoken(paragraph)}
            onClick={onSpeak}
          />
        </span>
      </div>
    </li>
  );
}

/** Scrolls to the paragraph that is played, unless the user has scrolled away from the one before it. */
function follow(row: HTMLElement): void {
  const before = row.previousElementSibling;
  if (before !== null && !isInView(before)) return;
  if (!isInView(row)) row.scrollIntoView({ block: "nearest" });
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
