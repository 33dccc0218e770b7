import { AUDIT_ACTIONS, type AuditAction, type AuditRecord } from "@parlance/protocol";
import { useDeferredValue, useState } from "react";
import { formatDateTime } from "../../lib/format.ts";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Options, SelectField, TextField } from "../../ui/field.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { TableHead } from "../../ui/table-head.tsx";

const PAGE_SIZE = 20;

/** Who did what when. */
export function AuditLog() {
  const [search, setSearch] = useState("");
  const [action, setAction] = useState<AuditAction | "">("");
  const [page, setPage] = useState(1);
  const searched = useDeferredValue(search);
  const log = useLoad(
    (signal) => {
      const filter = { search: searched, ...(action === "" ? {} : { action }) };
      return client.admin.audit({ ...filter, page_number: page, page_size: PAGE_SIZE }, { signal });
    },
    [searched, action, page],
  );
  return (
    <section className="card stack" aria-label="Audit log">
      <div className="row">
        <TextField
          label="Search"
          type="search"
          value={search}
          maxLength={100}
          placeholder="Name, id or address"
          onChange={(event) => {
            setSearch(event.target.value);
            setPage(1);
          }}
        />
        <SelectField
          label="Action"
          value={action}
          onChange={({ target }) => {
            setAction(AUDIT_ACTIONS.find((each) => each === target.value) ?? "");
            setPage(1);
          }}
        >
          <option value="">all</option>
          <Options values={AUDIT_ACTIONS} />
        </SelectField>
      </div>
      <Fault error={log.error} retry={log.reload} />
      {log.data === undefined && log.loading && <Loading what="the audit log" />}
      {log.data?.items.length === 0 && (
        <Empty icon="search" title="No matching entries">
          <p>Sign-ins, keys, users, credits, voices, aliases and settings are recorded here.</p>
        </Empty>
      )}
      {log.data !== undefined && log.data.items.length > 0 && (
        <table className="table">
          <TableHead columns={["Time", "Who", "Action", "Target", "Details"]} />
          <tbody>
            {log.data.items.map((entry) => (
              <EntryRow key={entry._id} entry={entry} />
            ))}
          </tbody>
        </table>
      )}
      {log.data !== undefined && <Pager page={page} size={PAGE_SIZE} total={log.data.total} onChange={setPage} />}
    </section>
  );
}

function EntryRow({ entry }: { readonly entry: AuditRecord }) {
  const { at, actor, key_id, address, action, target, details } = entry;
  return (
    <tr>
      <td data-label="Time">
        <time dateTime={at}>{formatDateTime(at)}</time>
      </td>
      <td data-label="Who">
        {actor?.name ?? "unknown"}
        <span className="small soft line">
          {address}
          {key_id !== null && ` · key ${key_id.slice(0, 8)}…`}
        </span>
      </td>
      <td data-label="Action">
        <span className={`badge ${action === "sign-in.failed" ? "bad" : ""}`}>{action}</span>
      </td>
      <td data-label="Target" title={target?._id ?? undefined}>
        {target?.name ?? ""}
      </td>
      <td data-label="Details" className="small">
        {Object.entries(details).map(([name, value]) => (
          <span key={name} className="line">
            {name}: {typeof value === "string" ? value : JSON.stringify(value)}
          </span>
        ))}
      </td>
    </tr>
  );
}
