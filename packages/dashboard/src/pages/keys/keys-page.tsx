import type { ApiKeyInfo } from "@parlance/protocol";
import { useState } from "react";
import { formatAgo, formatDate, formatDateTime } from "../../lib/format.ts";
import { Link } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { TableHead } from "../../ui/table-head.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { ChangeKeyDialog } from "./change-key-dialog.tsx";
import { LimitSummary } from "./limit-summary.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";
import "./keys.css";

type Open = { readonly what: "new" } | { readonly what: "change" | "revoke"; readonly key: ApiKeyInfo };

export default function KeysPage() {
  const keys = useLoad((signal) => client.account.keys.list({ signal }), []);
  const [open, setOpen] = useState<Open>();
  const showToast = useToast();
  const close = () => setOpen(undefined);
  const create = (
    <Button look="primary" icon="plus" onClick={() => setOpen({ what: "new" })}>
      Create a key
    </Button>
  );
  return (
    <Page
      title="API keys"
      lead="A key gives a program access to the API with your account and your credits."
      actions={create}
    >
      <section className="card">
        <Fault error={keys.error} retry={keys.reload} />
        {keys.data === undefined && keys.loading && <Loading what="the keys" />}
        {keys.data?.length === 0 && (
          <Empty icon="keys" title="No keys yet">
            <p>
              Create one and send it as <code>Authorization: Bearer …</code>. The <Link to="start">first steps</Link>{" "}
              have a command to copy, and the <Link to="api">API page</Link> code for every request.
            </p>
          </Empty>
        )}
        {keys.data !== undefined && keys.data.length > 0 && (
          <table className="table">
            <TableHead columns={["Name", "Key", "Created", "Last used", "Expires", "Scopes", "Limits", "State"]} />
            <tbody>
              {keys.data.map((key) => (
                <KeyRow key={key._id} record={key} onOpen={(what) => setOpen({ what, key })} />
              ))}
            </tbody>
          </table>
        )}
      </section>
      {open?.what === "new" && (
        <NewKeyDialog
          onClose={() => {
            close();
            keys.reload();
          }}
        />
      )}
      {open?.what === "change" && (
        <ChangeKeyDialog
          record={open.key}
          onClose={close}
          onChanged={() => {
            keys.reload();
            showToast("The key is changed");
          }}
        />
      )}
      {open?.what === "revoke" && (
        <Confirm
          title={`Revoke “${open.key.name}”?`}
          verb="Revoke the key"
          onClose={close}
          work={async (signal) => {
            await client.account.keys.revoke(open.key._id, { signal });
            keys.reload();
            showToast("The key is revoked");
          }}
        >
          <p>Programs that use it lose access immediately. This cannot be undone.</p>
        </Confirm>
      )}
    </Page>
  );
}

interface KeyRowProps {
  readonly record: ApiKeyInfo;
  readonly onOpen: (what: "change" | "revoke") => void;
}

function KeyRow({ record, onOpen }: KeyRowProps) {
  const state = stateOf(record);
  return (
    <tr>
      <td data-label="Name">{record.name}</td>
      <td data-label="Key">
        <code>{record.prefix}…</code>
      </td>
      <td data-label="Created">
        <time dateTime={record.created_at} title={formatDateTime(record.created_at)}>
          {formatDate(record.created_at)}
        </time>
      </td>
      <td data-label="Last used">{record.last_used_at ? formatAgo(record.last_used_at) : "never"}</td>
      <td data-label="Expires">{record.expires_at ? formatDateTime(record.expires_at) : "never"}</td>
      <td data-label="Scopes">{record.scopes?.join(", ") ?? "all"}</td>
      <td data-label="Limits" className="small">
        <LimitSummary limits={record.limits} spent={record.spent} />
      </td>
      <td data-label="State">
        <span className={`badge ${state === "active" ? "good" : "bad"}`}>{state}</span>
      </td>
      <td className="end">
        {state === "active" && (
          <span className="row" style={{ justifyContent: "end", flexWrap: "nowrap" }}>
            <Button look="quiet" icon="edit" aria-label={`Change ${record.name}`} onClick={() => onOpen("change")} />
            <Button look="quiet" icon="trash" aria-label={`Revoke ${record.name}`} onClick={() => onOpen("revoke")} />
          </span>
        )}
      </td>
    </tr>
  );
}

function stateOf({ revoked_at, expires_at }: ApiKeyInfo): "active" | "revoked" | "expired" {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? "expired" : "active";
}
