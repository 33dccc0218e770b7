import { Link } from "../lib/router.tsx";
import { Icon } from "./icon.tsx";

interface TraceLinkProps {
  readonly id: string | undefined;
  /** Whose list is opened where the id is not known: a browser does not show the headers of a socket. */
  readonly operation: "tts" | "live" | "asr";
}

/** To where the time of a request went. */
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
