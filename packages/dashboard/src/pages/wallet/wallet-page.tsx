import type { Prices } from "@parlance/protocol";
import { formatAgo, formatDate, formatDateTime, formatNumber } from "../../lib/format.ts";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { usePrices } from "../../lib/use-prices.ts";
import { Metrics } from "../../ui/metrics.tsx";
import { Fault, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Ledger } from "./ledger.tsx";
import { UsageReport } from "./usage-report.tsx";

export default function WalletPage() {
  const prices = usePrices();
  return (
    <Page title="Wallet and usage" lead={prices ? leadOf(prices) : "What your requests cost."}>
      <div className="stack">
        <Package />
        <UsageReport load={(query, signal) => client.usage(query, { signal })} csv="/account/usage" />
        <Ledger />
      </div>
    </Page>
  );
}

function leadOf({ textByte, transcribedSecond }: Prices): string {
  const credits = (amount: number): string => `${amount} ${amount === 1 ? "credit" : "credits"}`;
  return `Speech costs ${credits(textByte)} per byte of text, transcription ${credits(transcribedSecond)} per second of audio.`;
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
      <Metrics
        minWidth="11rem"
        metrics={[
          [
            "Package",
            <span key="package" style={{ textTransform: "capitalize" }}>
              {data.type}
            </span>,
          ],
          ["Package credits left", unlimited ? "unlimited" : formatNumber(data.balance)],
          ["Extra credits", formatNumber(data.extra_balance)],
          [
            data.cancel_at_period_end ? "Ends" : "Renews",
            <span key="end" title={formatDateTime(data.finished_at)}>
              {formatAgo(data.finished_at)}
            </span>,
          ],
        ]}
      />
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
