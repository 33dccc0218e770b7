import type { TracedRequest } from "@parlance/protocol";

/** The status, and a note where it is not enough: a response may fail after it started with 200. */
export function Outcome({ request: { ok, status } }: { readonly request: TracedRequest }) {
  if (ok) return <span className="badge good">{status}</span>;
  if (status === 499) return <span className="badge">stopped by the client</span>;
  if (status < 400) return <span className="badge bad">{status}, then failed</span>;
  return <span className={`badge ${status < 500 ? "warn" : "bad"}`}>{status}</span>;
}
