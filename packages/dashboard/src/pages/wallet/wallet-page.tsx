import { formatAgo, formatDate, formatDateTime, formatNumber } from "../../lib/format.ts";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Fault, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Ledger } from "./ledger.tsx";
import { UsageReport } from "./usage-report.tsx";

export default function WalletPage() {
  return (
    <Page
      title="Wallet and usage"
      lead="Speech costs one credit per byte of text. Transcription costs credits per second of audio."
    >
      <div className="stack">
        <Package />
        <UsageReport load={(query, signal) => client.usage(query, { signal })} csv="/account/usage" />
        <Ledger />
      </div>
    </Page>
  );
}

function Package() {
  const wallet = useLoad((signal) => client.wallet.package({ signal }), []);
  const { data } = wallet;
  if (data === undefined) {
    return (
      <section className="card">
        {wallet.error ? <Fault error={wallet.error} retry={wallet.reload} /> : <Loading what="the wallet" />}
      </section>
    );
  }
  const unlimited = data.type === "unlimited";
  return (
    <section className="card stack" aria-label="Package">
      <dl className="tiles" style={{ margin: 0 }}>
        <div className="metric">
          <dt>Package</dt>
          <dd style={{ textTransform: "capitalize" }}>{data.type}</dd>
        </div>
        <div className="metric">
          <dt>Package credits left</dt>
          <dd>{unlimited ? "unlimited" : formatNumber(data.balance)}</dd>
        </div>
        <div className="metric">
          <dt>Extra credits</dt>
          <dd>{formatNumber(data.extra_balance)}</dd>
        </div>
        <div className="metric">
          <dt>{data.cancel_at_period_end ? "Ends" : "Renews"}</dt>
          <dd title={formatDateTime(data.finished_at)}>{formatAgo(data.finished_at)}</dd>
        </div>
      </dl>
      {!unlimited && (
        <div className="stack tight">
          <progress aria-label="Package credits used" max={Math.max(1, data.total)} value={data.total - data.balance} />
          <p className="small soft number">
            {formatNumber(data.total - data.balance)} of {formatNumber(data.total)} used, renews on{" "}
            {formatDate(data.finished_at)}
          </p>
        </div>
      )}
    </section>
  );
}
