import { ApiError, ConnectionError } from "@parlance/client";
import type { ReactNode } from "react";
import { Link } from "../lib/router.tsx";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

type Tone = "info" | "good" | "warn" | "bad";
const ICONS: Readonly<Record<Tone, IconName>> = { info: "info", good: "check", warn: "warning", bad: "warning" };

export function Notice({ tone = "info", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={ICONS[tone]} />
      <div className="grow">{children}</div>
    </div>
  );
}

/** Shows an error with the message of the server and, if possible, a retry button. Empty without an error. */
export function Fault({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (error === undefined || error === null) return null;
  return (
    <Notice tone="bad">
      <div className="row apart">
        <span>
          {describeFault(error)}
          {error instanceof ApiError && error.traceId !== undefined && error.status >= 500 && (
            <>
              {" "}
              <Link className="small mono" to={`traces/${error.traceId}`}>
                trace {error.traceId}
              </Link>
            </>
          )}
        </span>
        {retry && (
          <Button icon="refresh" onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </Notice>
  );
}

export function describeFault(error: unknown): string {
  if (error instanceof ConnectionError) {
    return navigator.onLine ? "The server cannot be reached. Is it running?" : "You are offline.";
  }
  if (error instanceof ApiError) {
    return error.issues?.map((issue) => `${issue.loc.slice(1).join(".")}: ${issue.msg}`).join(" · ") || error.message;
  }
  return error instanceof Error ? error.message : String(error);
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <div className="stack tight" role="status">
      <span className="visually-hidden">Loading {what}</span>
      {["92%", "78%", "85%"].map((width) => (
        <div key={width} className="skeleton" style={{ width }} />
      ))}
    </div>
  );
}
