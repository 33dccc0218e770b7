import { useState } from "react";
import { Link } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { useSession } from "../../lib/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { useLoad } from "../../lib/use-load.ts";
import { useRefresh } from "../../lib/use-refresh.ts";
import { useStored } from "../../lib/use-stored.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { NewPassword } from "../../ui/new-password.tsx";
import { Fault, Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { VoicePicker } from "../voices/voice-picker.tsx";
import { firstCall } from "./first-call.ts";
import { Step } from "./step.tsx";
import "./start.css";

/** The first steps of a new account. What is done is read from the account, so the page can be left at any time. */
export default function StartPage() {
  const { account, reload } = useSession();
  const keys = useLoad((signal) => client.account.keys.list({ signal }), []);
  const [secret, setSecret] = useState<string>();
  const [voice, setVoice] = useStored("speak.voice", "");
  const active = (keys.data ?? []).filter(({ revoked_at }) => revoked_at === null);
  const hasCalled = active.some(({ last_used_at }) => last_used_at !== null);
  // The first call is seen without a reload.
  useRefresh(keys.reload, active.length > 0 && !hasCalled);
  const done = [account.has_password, active.length > 0, hasCalled, voice !== ""];
  const count = done.filter(Boolean).length;
  return (
    <Page title="Get started" lead={`${count} of ${done.length} steps done.`}>
      <Fault error={keys.error} retry={keys.reload} />
      <ol className="steps">
        <Step number={1} title="Set a password" isDone={account.has_password}>
          {account.has_password ? (
            <p className="soft">You sign in with {account.email ?? "your address"} and your password.</p>
          ) : (
            <SetPassword email={account.email} onDone={reload} />
          )}
        </Step>
        <Step number={2} title="Make an API key" isDone={active.length > 0}>
          <p className="soft">A key gives a program access to the API with your account and your credits.</p>
          {secret === undefined ? (
            <MakeKey
              isFirst={active.length === 0}
              onMade={(made) => {
                setSecret(made);
                keys.reload();
              }}
            />
          ) : (
            <Notice tone="warn">
              The key is in the command below. It is shown only here, until you leave the page.
            </Notice>
          )}
        </Step>
        <Step number={3} title="Make the first call" isDone={hasCalled}>
          <p className="soft">
            Run this in a terminal. It writes <code>hello.mp3</code>.
            {secret === undefined && " Put your key in the first line."}
          </p>
          <Code label="The first call">{firstCall(window.location.origin, secret, voice)}</Code>
          {hasCalled ? (
            <p className="soft">
              Your key has been used. <Link to="api">The API page</Link> has code for every request.
            </p>
          ) : (
            <p className="small soft" role="status">
              Waiting for the first call…
            </p>
          )}
        </Step>
        <Step number={4} title="Pick a voice" isDone={voice !== ""}>
          <p className="soft">Without one, the server chooses a voice that fits the language of each sentence.</p>
          <VoicePicker value={voice} onChange={setVoice} />
        </Step>
      </ol>
      {count === done.length && (
        <Notice tone="good">
          All done. Go on with <Link to="speak">Speak</Link>, <Link to="transcribe">Transcribe</Link> or{" "}
          <Link to="voices">clone a voice</Link>.
        </Notice>
      )}
    </Page>
  );
}

function SetPassword({ email, onDone }: { readonly email: string | null; readonly onDone: () => void }) {
  const [address, setAddress] = useState("");
  const [password, setPassword] = useState("");
  const action = useAction(async (signal) => {
    if (email === null) await client.account.update({ email: address }, { signal });
    await client.account.changePassword({ new_password: password }, { signal });
    onDone();
  });
  return (
    <Form action={action} className="stack tight">
      <p className="soft">
        The link worked once. With {email === null ? "an e-mail address and " : ""}a password you can sign in again.
      </p>
      {email === null ? (
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      ) : (
        <input type="hidden" autoComplete="username" value={email} readOnly />
      )}
      <NewPassword value={password} hint="At least 8 characters." onChange={setPassword} action={action} />
    </Form>
  );
}

function MakeKey({ isFirst, onMade }: { readonly isFirst: boolean; readonly onMade: (secret: string) => void }) {
  const action = useAction(async (signal) => {
    onMade((await client.account.keys.create({ name: "first steps" }, { signal })).secret);
  });
  return (
    <div className="stack tight">
      <div>
        <Button look={isFirst ? "primary" : "plain"} icon="plus" busy={action.busy} onClick={() => void action.run()}>
          {isFirst ? "Make a key" : "Make another key"}
        </Button>
      </div>
      <Fault error={action.error} />
    </div>
  );
}
