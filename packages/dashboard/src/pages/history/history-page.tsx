import { useRoute } from "../../lib/router.tsx";
import { EntryView } from "./entry-view.tsx";
import { HistoryList } from "./history-list.tsx";
import "./history.css";

/** What was spoken and transcribed, or one entry when the address names it. */
export default function HistoryPage() {
  const { item } = useRoute();
  return item === "" ? <HistoryList /> : <EntryView key={item} id={item} />;
}
