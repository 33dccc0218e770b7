import type { LedgerEntry } from "@parlance/protocol";
import { useState } from "react";
import { formatDateTime, formatNumber } from "../../lib/format.ts";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";

const KIND_LABELS: Readonly<Record<LedgerEntry["kind"], string>> = {
  grant: "Granted",
  refill: "Package renewed",
  expire: "Unused package credits expired",
  reserve: "Reserved",
  settle: "Settled, unused credits returned",
  refund: "Refunded",
  correct: "Settlement corrected",
};

/** All ledger entries, newest first. */
export function Ledger() {
  const first = useLoad((signal) => client.wallet.ledger({}, { signal }), []);
  const [older, setOlder] = useState<{ items: readonly LedgerEntry[]; hasMore: boolean }>();
  const items = [...(first.data?.items ?? []), ...(older?.items ?? [])];
  const hasMore = older?.hasMore ?? first.data?.has_more ?? false;
  const more = useAction(async (signal) => {
    const last = items.at(-1);
    if (last === undefined) return;
    const page = await client.wallet.ledger({ before: last.id }, { signal });
    setOlder((before) => ({ items: [...(before?.items ?? []), ...page.items], hasMore: page.has_more }));
  });
  return (
    <section className="card">
      <header>
        <h2>Ledger</h2>
      </header>
      <Fault error={first.error} retry={first.reload} />
      {first.data === undefined && first.loading && <Loading what="the ledger" />}
      {first.data && items.length === 0 && (
        <Empty icon="wallet" title="No entries yet">
          <p>
            Each request reserves credits before it runs, and is settled by what it has delivered. Both appear here.
          </p>
        </Empty>
      )}
      {items.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th>When</th>
              <th>Entry</th>
              <th>From</th>
              <th className="end">Credits</th>
            </tr>
          </thead>
          <tbody>
            {items.map((entry) => (
              <tr key={entry.id}>
                <td data-label="When">{formatDateTime(entry.at)}</td>
                <td data-label="Entry">
                  {KIND_LABELS[entry.kind]}
                  {entry.note && <span className="soft"> · {entry.note}</span>}
                </td>
                <td data-label="From">{entry.bucket}</td>
                <td data-label="Credits" className="end number">
                  {entry.amount > 0 ? "+" : ""}
                  {formatNumber(entry.amount)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Fault error={more.error} />
      {hasMore && (
        <div className="row" style={{ marginTop: "1rem" }}>
          <Button busy={more.busy} onClick={() => void more.run()}>
            Show older entries
          </Button>
        </div>
      )}
    </section>
  );
}
