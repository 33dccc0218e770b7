import { useState } from "react";
import { go } from "../lib/router.tsx";
import { Button } from "./button.tsx";
import { Confirm } from "./dialog.tsx";
import { useToast } from "./toasts.tsx";

interface DeleteButtonProps {
  readonly label: string;
  /** What is deleted: its title, and its kind as in "the entry". */
  readonly title: string;
  readonly kind: string;
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  /** The page that is opened afterwards. */
  readonly next: "history" | "projects";
}

/** Deletes what has text and audio, after a confirmation. */
export function DeleteButton({ label, title, kind, work, next }: DeleteButtonProps) {
  const [open, setOpen] = useState(false);
  const showToast = useToast();
  return (
    <>
      <Button look="danger" icon="trash" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && (
        <Confirm
          title={`Delete “${title}”?`}
          verb="Delete"
          onClose={() => setOpen(false)}
          work={async (signal) => {
            await work(signal);
            showToast(`The ${kind} is deleted`);
            go(next);
          }}
        >
          <p>Its text and its audio are deleted. This cannot be undone.</p>
        </Confirm>
      )}
    </>
  );
}
