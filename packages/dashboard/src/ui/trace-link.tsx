import { Link } from "../lib/router.tsx";
import { Icon } from "./icon.tsx";

interface TraceLinkProps {
  readonly id: string | undefined;
  /** Filters the list that opens without an id: browsers do not expose the headers of a socket. */
  readonly operation: "tts" | "live" | "asr";
}

/** A link to the trace of a request. */
export function TraceLink({ id, operation }: TraceLinkProps) {
  return (
    <Link
      className="button"
      to={id === undefined ? `traces?operation=${operation}` : `traces/${encodeURIComponent(id)}`}
    >
      <Icon name="traces" /> {id === undefined ? "Traces" : "Trace"}
    </Link>
  );
}
