import { useDeferredValue } from "react";
import { formatNumber } from "../../lib/format.ts";
import { replaceRoute, useRoute } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { useSession } from "../../lib/session.ts";
import { useLoad } from "../../lib/use-load.ts";
import { useRefresh } from "../../lib/use-refresh.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { type Filters, isFiltered, readFilters, toQuery, writeFilters } from "./filters.ts";
import { OpenById } from "./open-by-id.tsx";
import { RequestTable } from "./request-table.tsx";

export function RecentRequests() {
  const isAdmin = useSession().account.role === "admin";
  const filters = readFilters(useRoute().query);
  const all = isAdmin && filters.all;
  const query = toQuery(filters);
  const deferredQuery = useDeferredValue(JSON.stringify(query));
  const requests = useLoad(
    (signal) => (all ? client.traces.all : client.traces).list(query, { signal }),
    [deferredQuery, all],
  );
  // Refreshing stops after an error, so that the error stays visible until the user retries.
  useRefresh(requests.reload, requests.error === undefined);
  const change = (changed: Partial<Filters>) => replaceRoute(writeFilters({ ...filters, ...changed }));
  const { data } = requests;
  return (
    <Page title="Traces" lead="The steps of each request and how long they took." actions={<OpenById />}>
      <div className="stack">
        <FilterBar filters={filters} isAdmin={isAdmin} onChange={change} />
        <Fault error={requests.error} retry={requests.reload} />
        {data === undefined && requests.loading && (
          <section className="card">
            <Loading what="the requests" />
          </section>
        )}
        {data !== undefined && (
          <section className="card" aria-label="Recent requests">
            <header>
              <h2>{all ? "Recent requests of all accounts" : "Your recent requests"}</h2>
              <Button icon="refresh" aria-label="Refresh" title="Refresh" onClick={requests.reload} />
            </header>
            {data.items.length > 0 && <RequestTable requests={data.items} />}
            {data.items.length === 0 && isFiltered(filters) && (
              <Empty icon="search" title="No matching requests">
                <Button onClick={() => replaceRoute(writeFilters({ ...readFilters(new URLSearchParams()), all }))}>
                  Clear filters
                </Button>
              </Empty>
            )}
            {data.items.length === 0 && !isFiltered(filters) && (
              <Empty icon="traces" title={data.kept === 0 ? "This server keeps no traces" : "No requests yet"}>
                <p>
                  {data.kept === 0
                    ? "PARLANCE_TRACES is set to 0."
                    : "Requests to speak or transcribe appear here within seconds."}
                </p>
              </Empty>
            )}
            {data.kept > 0 && (
              <p className="small soft kept">The server keeps the last {formatNumber(data.kept)} requests.</p>
            )}
          </section>
        )}
      </div>
    </Page>
  );
}
