import type { ReactNode } from "react";
import type { Action } from "../lib/use-action.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";
import { Fault } from "./notice.tsx";

interface FormDialogProps {
  readonly title: string;
  /** On the button that submits. */
  readonly verb: string;
  readonly action: Action<[]>;
  /** Shown when the action itself has not failed. */
  readonly error?: unknown;
  readonly disabled?: boolean;
  /** A long action: it is cancelled first, and the dialog cannot be dismissed while it runs. */
  readonly cancelsAction?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with fields, a button that submits them, and one that closes the dialog. */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, action, error, disabled = false, cancelsAction = false, onClose, children } = props;
  const isRunning = cancelsAction && action.busy;
  return (
    <Dialog title={title} onClose={onClose} dismissible={!isRunning}>
      <Form action={action}>
        {children}
        <Fault error={action.error ?? error} />
        <div className="row">
          <Button type="submit" look="primary" busy={action.busy} disabled={disabled}>
            {verb}
          </Button>
          <Button onClick={isRunning ? action.cancel : onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
