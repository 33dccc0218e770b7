import { ERROR_TABLE, isErrorCode } from "@parlance/protocol";
import { useState } from "react";
import { useRoute } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { clearSignInToken, signInToken } from "../../lib/sign-in-token.ts";
import { useAction } from "../../lib/use-action.ts";
import { useLoad } from "../../lib/use-load.ts";
import { useStored } from "../../lib/use-stored.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Fault, Notice } from "../../ui/notice.tsx";

/** The sign-in form. A one-time link needs a click, so that a link preview does not use it up. */
export function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [token, setToken] = useState(signInToken);
  return (
    <div className="sign-in">
      <main className="stack">
        <div className="brand">
          <Mark />
          <h1>Parlance</h1>
        </div>
        {token === "" ? (
          <ByPassword onSignedIn={onSignedIn} />
        ) : (
          <ByLink token={token} onSignedIn={onSignedIn} onUsePassword={() => setToken("")} />
        )}
        <p className="small soft">
          <a href="/docs">API documentation</a>
        </p>
      </main>
    </div>
  );
}

/** The button of the provider, where the server has one, and why the last sign-in with it failed. */
function ByProvider() {
  const options = useLoad((signal) => client.account.signInOptions({ signal }), []);
  const { page, item } = useRoute();
  const oidc = options.data?.oidc;
  return (
    <>
      {page === "sign-in-failed" && isErrorCode(item) && <Notice tone="bad">{ERROR_TABLE[item].message}</Notice>}
      {oidc && (
        <a className="button" href={oidc.path}>
          Sign in with {oidc.name}
        </a>
      )}
    </>
  );
}

function ByPassword({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [email, setEmail] = useStored("sign-in.email", "");
  const [password, setPassword] = useState("");
  const action = useAction(async (signal) => {
    await client.account.signIn({ email, password }, { signal });
    onSignedIn();
  });
  return (
    <Form action={action} className="card stack">
      <h2>Sign in</h2>
      <TextField
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Fault error={action.error} />
      <Button type="submit" look="primary" busy={action.busy}>
        Sign in
      </Button>
      <ByProvider />
      <p className="small soft">
        Locked out? The operator can create a sign-in link with <code>parlance users link</code>.
      </p>
    </Form>
  );
}

interface ByLinkProps {
  readonly token: string;
  readonly onSignedIn: () => void;
  readonly onUsePassword: () => void;
}

function ByLink({ token, onSignedIn, onUsePassword }: ByLinkProps) {
  const action = useAction(async (signal) => {
    const { has_password } = await client.account.signInByLink({ token }, { signal });
    clearSignInToken(has_password ? "speak" : "start");
    onSignedIn();
  });
  return (
    <div className="card stack">
      <h2>Welcome</h2>
      <p>This link signs you in once.</p>
      <Fault error={action.error} />
      <Button look="primary" busy={action.busy} onClick={() => void action.run()}>
        Sign in
      </Button>
      {action.error !== undefined && (
        <Button look="quiet" onClick={onUsePassword}>
          Use a password
        </Button>
      )}
    </div>
  );
}
