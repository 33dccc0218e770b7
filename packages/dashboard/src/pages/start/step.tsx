import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

export function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li className={`card step ${isDone ? "done" : ""}`}>
      <span className="step-mark" aria-hidden="true">
        {isDone ? <Icon name="check" /> : number}
      </span>
      <div className="stack tight grow">
        <h2>
          {title} <span className="visually-hidden">{isDone ? "(done)" : "(open)"}</span>
        </h2>
        {children}
      </div>
    </li>
  );
}
