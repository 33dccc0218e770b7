import { type ReactNode, useEffect, useId, useRef } from "react";
import { useAction } from "../lib/use-action.ts";
import { Button } from "./button.tsx";
import { Fault } from "./notice.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether Escape and the close button close it. False where data would be lost. */
  readonly dismissible?: boolean;
  readonly children: ReactNode;
}

/** The browser's own modal dialog: it traps the focus and restores it. */
export function Dialog({ title, onClose, dismissible = true, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (dismissible) onClose();
      }}
    >
      <div className="stack">
        <div className="row apart">
          <h2 id={id}>{title}</h2>
          {dismissible && <Button look="quiet" icon="close" aria-label="Close" onClick={onClose} />}
        </div>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly verb: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly work: (signal: AbortSignal) => Promise<unknown>;
}

/** Asks for confirmation before an action that is hard to undo. */
export function Confirm({ title, verb, children, onClose, work }: ConfirmProps) {
  const action = useAction(work);
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <Fault error={action.error} />
      <div className="row">
        <Button look="danger" busy={action.busy} onClick={async () => (await action.run()) && onClose()}>
          {verb}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
