import { KEY_SCOPES, type KeyScope, type NewApiKeyInfo } from "@parlance/protocol";
import { useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { LimitFields, limitsOf, typed } from "./limit-fields.tsx";

const LIFETIMES = [
  { days: 0, label: "does not expire" },
  { days: 7, label: "in 7 days" },
  { days: 30, label: "in 30 days" },
  { days: 90, label: "in 90 days" },
  { days: 365, label: "in a year" },
];
const SCOPE_LABELS: Readonly<Record<KeyScope, string>> = {
  speak: "Speak: text to speech",
  listen: "Listen: speech to text",
  voices: "Voices: create, change and delete",
  account: "Account: profile, keys, history, wallet",
  admin: "Administration, for admins",
};
const DAY_MS = 86_400_000;

export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState(0);
  const [scopes, setScopes] = useState<readonly KeyScope[]>(KEY_SCOPES);
  const [limits, setLimits] = useState(typed(null));
  const [created, setCreated] = useState<NewApiKeyInfo>();
  const action = useAction(async (signal) => {
    const expiry = days === 0 ? {} : { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() };
    const restriction = scopes.length === KEY_SCOPES.length ? {} : { scopes };
    const own = limitsOf(limits);
    const key = { name, ...expiry, ...restriction, ...(own === undefined ? {} : { limits: own }) };
    setCreated(await client.account.keys.create(key, { signal }));
  });
  if (created) {
    return (
      // The secret cannot be shown again, so only the button closes the dialog.
      <Dialog title="Copy your key now" onClose={onClose} dismissible={false}>
        <Notice tone="warn">It is shown only once. Only a hash of it is stored.</Notice>
        <Code label="The new key">{created.secret}</Code>
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Create an API key"
      verb="Create"
      action={action}
      disabled={scopes.length === 0}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={100}
        required
        placeholder="Which program uses it?"
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField label="Expires" value={days} onChange={(event) => setDays(Number(event.target.value))}>
        {LIFETIMES.map((lifetime) => (
          <option key={lifetime.days} value={lifetime.days}>
            {lifetime.label}
          </option>
        ))}
      </SelectField>
      <fieldset className="scopes">
        <legend className="small">May be used for</legend>
        {KEY_SCOPES.map((scope) => (
          <label key={scope} className="check">
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(KEY_SCOPES.filter((each) => (each === scope ? target.checked : scopes.includes(each))))
              }
            />
            {SCOPE_LABELS[scope]}
          </label>
        ))}
      </fieldset>
      <LimitFields values={limits} onChange={setLimits} />
    </FormDialog>
  );
}
