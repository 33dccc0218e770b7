import type { ReactNode } from "react";
import type { Action } from "../lib/use-action.ts";

interface FormProps {
  /** Runs when the form is submitted. */
  readonly action: Action<[]>;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Form({ action, className = "stack", children }: FormProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      {children}
    </form>
  );
}
