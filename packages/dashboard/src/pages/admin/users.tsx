import { type AccountRecord, PLAN_NAMES, ROLES } from "@parlance/protocol";
import { useDeferredValue, useState } from "react";
import { formatDate } from "../../lib/format.ts";
import { client } from "../../lib/server.ts";
import { useSession } from "../../lib/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy-button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Options, TextField } from "../../ui/field.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { TableHead } from "../../ui/table-head.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { GrantDialog } from "./grant-dialog.tsx";
import { NewUserDialog } from "./new-user-dialog.tsx";

const PAGE_SIZE = 20;

type Open =
  | { readonly what: "new" }
  | { readonly what: "disable" | "grant"; readonly user: AccountRecord }
  | { readonly what: "change"; readonly user: AccountRecord; readonly change: { role?: string; plan?: string } }
  | { readonly what: "link"; readonly url: string };

export function Users() {
  const [search, setSearch] = useState("");
  const searched = useDeferredValue(search);
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<Open>();
  const showToast = useToast();
  const users = useLoad(
    (signal) => client.admin.users.list({ search: searched, page_number: page, page_size: PAGE_SIZE }, { signal }),
    [searched, page],
  );
  const change = useAction(async (signal, id: string, what: Parameters<typeof client.admin.users.update>[1]) => {
    await client.admin.users.update(id, what, { signal });
    users.reload();
    showToast("Changed");
  });
  const link = useAction(async (signal, id: string) => {
    setOpen({ what: "link", url: (await client.admin.users.link(id, { signal })).url });
  });
  const close = () => setOpen(undefined);
  return (
    <section className="card stack" aria-label="Users">
      <div className="row apart">
        <div style={{ width: "min(22rem, 100%)" }}>
          <TextField
            label="Search"
            type="search"
            value={search}
            placeholder="E-mail, name or id"
            onChange={(event) => {
              setSearch(event.target.value);
              setPage(1);
            }}
          />
        </div>
        <Button look="primary" icon="plus" onClick={() => setOpen({ what: "new" })}>
          Create a user
        </Button>
      </div>
      <Fault error={users.error ?? change.error ?? link.error} retry={users.reload} />
      {users.data === undefined && users.loading && <Loading what="the users" />}
      {users.data?.items.length === 0 && (
        <Empty icon="search" title="No matching users">
          <p>Search for part of an e-mail address or a name, or create a user: they sign in with a link.</p>
        </Empty>
      )}
      {users.data !== undefined && users.data.items.length > 0 && (
        <table className="table">
          <TableHead columns={["User", "Role", "Plan", "Since", "State"]} />
          <tbody>
            {users.data.items.map((user) => (
              <UserRow
                key={user._id}
                user={user}
                onChange={(change) => setOpen({ what: "change", user, change })}
                onEnable={() => void change.run(user._id, { disabled: false })}
                onLink={() => void link.run(user._id)}
                onOpen={(what) => setOpen({ what, user })}
              />
            ))}
          </tbody>
        </table>
      )}
      {users.data && <Pager page={page} size={PAGE_SIZE} total={users.data.total} onChange={setPage} />}
      {open?.what === "new" && (
        <NewUserDialog
          onClose={() => {
            close();
            users.reload();
          }}
        />
      )}
      {open?.what === "grant" && <GrantDialog user={open.user} onClose={close} />}
      {open?.what === "link" && (
        <Dialog title="A one-time sign-in link" onClose={close}>
          <p>It signs in as this user, once.</p>
          <Code label="The link">{open.url}</Code>
        </Dialog>
      )}
      {open?.what === "change" && (
        <Confirm
          title={`Change the ${open.change.plan ? "plan" : "role"} of ${nameOf(open.user)}?`}
          verb="Change"
          onClose={close}
          work={async (signal) => {
            await client.admin.users.update(open.user._id, open.change, { signal });
            users.reload();
            showToast("Changed");
          }}
        >
          {open.change.plan ? (
            <p>
              From {open.user.plan} to {open.change.plan}. Limits and monthly credits change with it.
            </p>
          ) : (
            <p>
              From {open.user.role} to {open.change.role}. Admins see all accounts and change settings.
            </p>
          )}
        </Confirm>
      )}
      {open?.what === "disable" && (
        <Confirm
          title={`Disable ${nameOf(open.user)}?`}
          verb="Disable"
          onClose={close}
          work={async (signal) => {
            await client.admin.users.update(open.user._id, { disabled: true }, { signal });
            users.reload();
          }}
        >
          <p>Keys, sessions and running requests of this user stop immediately. The account can be enabled again.</p>
        </Confirm>
      )}
    </section>
  );
}

interface UserRowProps {
  readonly user: AccountRecord;
  readonly onChange: (what: { role?: string; plan?: string }) => void;
  readonly onEnable: () => void;
  readonly onLink: () => void;
  readonly onOpen: (what: "disable" | "grant") => void;
}

function UserRow({ user, onChange, onEnable, onLink, onOpen }: UserRowProps) {
  const { account } = useSession();
  const isSelf = user._id === account._id;
  const name = nameOf(user);
  return (
    <tr>
      <td data-label="User">
        <div>
          <div>{user.nickname}</div>
          <div className="small soft" title={user._id}>
            {user.email ?? `${user._id.slice(0, 8)}…`}
          </div>
        </div>
      </td>
      <td data-label="Role">
        <select
          className="input"
          aria-label={`Role of ${name}`}
          value={user.role}
          disabled={isSelf}
          onChange={(event) => onChange({ role: event.target.value })}
        >
          <Options values={ROLES} />
        </select>
      </td>
      <td data-label="Plan">
        <select
          className="input"
          aria-label={`Plan of ${name}`}
          value={user.plan}
          onChange={(event) => onChange({ plan: event.target.value })}
        >
          <Options values={PLAN_NAMES} />
        </select>
      </td>
      <td data-label="Since">{formatDate(user.created_at)}</td>
      <td data-label="State">
        <span className={`badge ${user.disabled_at ? "bad" : "good"}`}>{user.disabled_at ? "disabled" : "active"}</span>
      </td>
      <td className="end">
        <span className="row" style={{ justifyContent: "end" }}>
          <Button look="quiet" onClick={() => onOpen("grant")}>
            Grant
          </Button>
          <Button look="quiet" onClick={onLink}>
            Link
          </Button>
          {user.disabled_at ? (
            <Button look="quiet" onClick={onEnable}>
              Enable
            </Button>
          ) : (
            <Button look="quiet" disabled={isSelf} onClick={() => onOpen("disable")}>
              Disable
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}

function nameOf(user: AccountRecord): string {
  return user.email ?? user.nickname;
}
