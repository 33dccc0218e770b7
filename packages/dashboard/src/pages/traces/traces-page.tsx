import { findTraceId } from "@parlance/client";
import { useRoute } from "../../lib/router.tsx";
import { RecentRequests } from "./recent-requests.tsx";
import { TraceView } from "./trace-view.tsx";
import "./traces.css";

/** Recent requests, or one trace when the address names it. */
export default function TracesPage() {
  const { item } = useRoute();
  if (item === "") return <RecentRequests />;
  return <TraceView key={item} traceId={findTraceId(item) ?? item} />;
}
