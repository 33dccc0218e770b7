import { useState } from "react";
import { formatAgo, formatDateTime } from "../../lib/format.ts";
import { client } from "../../lib/server.ts";
import { useSession } from "../../lib/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { NewPassword } from "../../ui/new-password.tsx";
import { Fault, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { TableHead } from "../../ui/table-head.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { browserName } from "./browser-name.ts";
import { Pronunciations } from "./pronunciations.tsx";

export default function AccountPage() {
  return (
    <Page title="Account">
      <div className="stack">
        <div className="tiles" style={{ gridTemplateColumns: "repeat(auto-fit, minmax(18rem, 1fr))" }}>
          <Profile />
          <Password />
        </div>
        <Pronunciations />
        <Sessions />
      </div>
    </Page>
  );
}

function Profile() {
  const { account, reload } = useSession();
  const showToast = useToast();
  const [nickname, setNickname] = useState(account.nickname);
  const [email, setEmail] = useState(account.email ?? "");
  const [password, setPassword] = useState("");
  const emailChanged = email !== (account.email ?? "");
  const action = useAction(async (signal) => {
    const change = {
      ...(nickname === account.nickname ? {} : { nickname }),
      ...(emailChanged ? { email, ...(password === "" ? {} : { current_password: password }) } : {}),
    };
    await client.account.update(change, { signal });
    setPassword("");
    reload();
    showToast("Saved");
  });
  return (
    <Form action={action} className="card stack">
      <h2>Profile</h2>
      <TextField
        label="Name"
        value={nickname}
        maxLength={100}
        required
        onChange={(event) => setNickname(event.target.value)}
      />
      <TextField
        label="E-mail"
        type="email"
        value={email}
        hint="Used to sign in."
        onChange={(event) => setEmail(event.target.value)}
      />
      {emailChanged && account.has_password && (
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
      <p className="small soft">
        Role: {account.role} · Plan: {account.plan} · Since {formatDateTime(account.created_at)}
      </p>
      <Fault error={action.error} />
      <div>
        <Button type="submit" look="primary" busy={action.busy}>
          Save
        </Button>
      </div>
    </Form>
  );
}

function Password() {
  const { account, reload } = useSession();
  const showToast = useToast();
  const [current, setCurrent] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const action = useAction(async (signal) => {
    const change = { new_password: newPassword, ...(current === "" ? {} : { current_password: current }) };
    await client.account.changePassword(change, { signal });
    setCurrent("");
    setNewPassword("");
    reload();
    showToast("The password is changed. Other sessions are signed out.");
  });
  return (
    <Form action={action} className="card stack">
      <h2>{account.has_password ? "Change the password" : "Set a password"}</h2>
      <input type="hidden" autoComplete="username" value={account.email ?? ""} readOnly />
      {account.has_password && (
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          hint="Not needed right after signing in with a link."
          onChange={(event) => setCurrent(event.target.value)}
        />
      )}
      <NewPassword
        value={newPassword}
        hint="At least 8 characters. All other sessions are signed out."
        onChange={setNewPassword}
        action={action}
      />
    </Form>
  );
}

function Sessions() {
  const sessions = useLoad((signal) => client.account.sessions.list({ signal }), []);
  const revoke = useAction(async (signal, id: string) => {
    await client.account.sessions.revoke(id, { signal });
    sessions.reload();
  });
  return (
    <section className="card">
      <header>
        <h2>Sessions</h2>
      </header>
      <Fault error={sessions.error ?? revoke.error} retry={sessions.reload} />
      {sessions.data === undefined && sessions.loading && <Loading what="the sessions" />}
      {sessions.data && (
        <table className="table">
          <TableHead columns={["Browser", "Address", "Last seen", "Ends"]} />
          <tbody>
            {sessions.data.map((session) => (
              <tr key={session._id}>
                <td data-label="Browser">
                  <span
                    className="cut"
                    style={{ display: "inline-block", maxWidth: "24rem" }}
                    title={session.user_agent}
                  >
                    {browserName(session.user_agent) || "unknown"}
                  </span>
                </td>
                <td data-label="Address">{session.address}</td>
                <td data-label="Last seen">{formatAgo(session.last_seen_at)}</td>
                <td data-label="Ends">{formatDateTime(session.expires_at)}</td>
                <td className="end">
                  {session.current ? (
                    <span className="badge good">this session</span>
                  ) : (
                    <Button look="quiet" onClick={() => void revoke.run(session._id)}>
                      Sign out
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
