import { HISTORY_LIMITS, type HistoryEntry, type HistoryKind } from "@parlance/protocol";
import { useDeferredValue, useState } from "react";
import { formatAgo, formatClock, formatDateTime } from "../../lib/format.ts";
import { Link } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useToast } from "../../ui/toasts.tsx";

const PAGE_SIZE = 20;
const KINDS = [
  { value: "all", label: "All" },
  { value: "speech", label: "Speech" },
  { value: "transcript", label: "Transcripts" },
] as const;

export function HistoryList() {
  const [kind, setKind] = useState<"all" | HistoryKind>("all");
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const [clearing, setClearing] = useState(false);
  const showToast = useToast();
  const searched = useDeferredValue(search);
  const query = { ...(kind === "all" ? {} : { kind }), search: searched, page_number: page, page_size: PAGE_SIZE };
  const entries = useLoad((signal) => client.history.list(query, { signal }), [kind, searched, page]);
  const isFiltered = kind !== "all" || searched !== "";
  return (
    <Page
      title="History"
      lead="What you have spoken and transcribed. Listening and downloading again is free."
      actions={
        <Button look="quiet" icon="trash" disabled={!entries.data?.total} onClick={() => setClearing(true)}>
          Delete all
        </Button>
      }
    >
      <div className="stack">
        <section className="card row" aria-label="Filters" style={{ alignItems: "end" }}>
          <Tabs
            label="Kind"
            value={kind}
            options={KINDS}
            onChange={(value) => {
              setKind(value);
              setPage(1);
            }}
          />
          <div className="grow" style={{ minWidth: "12rem" }}>
            <TextField
              label="Search"
              type="search"
              value={search}
              maxLength={HISTORY_LIMITS.searchCharacters}
              placeholder="Words of the text"
              onChange={(event) => {
                setSearch(event.target.value);
                setPage(1);
              }}
            />
          </div>
        </section>
        <Fault error={entries.error} retry={entries.reload} />
        {entries.data === undefined && entries.loading && <Loading what="the history" />}
        {entries.data?.total === 0 && (
          <div className="card">
            <Empty icon="history" title={isFiltered ? "No matching entries" : "Nothing here yet"}>
              {isFiltered ? (
                <p>Search for words of the text or part of a file name.</p>
              ) : (
                <p>
                  What you <Link to="speak">speak</Link> and <Link to="transcribe">transcribe</Link> in this dashboard
                  is kept here with its audio.
                </p>
              )}
            </Empty>
          </div>
        )}
        <ul className="stack tight" aria-label="Entries">
          {entries.data?.items.map((entry) => (
            <EntryRow key={entry._id} entry={entry} />
          ))}
        </ul>
        {entries.data && <Pager page={page} size={PAGE_SIZE} total={entries.data.total} onChange={setPage} />}
      </div>
      {clearing && (
        <Confirm
          title="Delete the whole history?"
          verb="Delete all"
          onClose={() => setClearing(false)}
          work={async (signal) => {
            await client.history.clear({ signal });
            setPage(1);
            entries.reload();
            showToast("The history is deleted");
          }}
        >
          <p>All speech, transcripts and recordings of your account are deleted. This cannot be undone.</p>
        </Confirm>
      )}
    </Page>
  );
}

function EntryRow({ entry }: { readonly entry: HistoryEntry }) {
  return (
    <li className="card entry">
      <Icon name={entry.kind === "speech" ? "speak" : "transcribe"} />
      <div className="grow">
        <Link className="cut" to={`history/${entry._id}`}>
          {entry.title}
        </Link>
        <p className="small soft cut">{entry.excerpt}</p>
      </div>
      <span className="small soft number" title={formatDateTime(entry.created_at)}>
        {!entry.complete && <span className="badge warn">stopped</span>} {formatClock(entry.duration)} ·{" "}
        {formatAgo(entry.created_at)}
      </span>
    </li>
  );
}
