import { type NewAccountRecord, PLAN_NAMES, ROLES } from "@parlance/protocol";
import { useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Options, SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

export function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState("member");
  const [plan, setPlan] = useState("free");
  const [password, setPassword] = useState("");
  const [created, setCreated] = useState<NewAccountRecord>();
  const action = useAction(async (signal) => {
    const chosen = password === "" ? {} : { password };
    setCreated(await client.admin.users.create({ email, role, plan, ...chosen }, { signal }));
  });
  if (created) {
    return (
      <Dialog
        title={`${created.email ?? created.nickname} was created`}
        onClose={onClose}
        dismissible={!created.sign_in_link}
      >
        {created.sign_in_link ? (
          <>
            <p>Send this link to the user. It works once and is not shown again.</p>
            <Code label="The sign-in link">{created.sign_in_link.url}</Code>
          </>
        ) : (
          <p>The user signs in with the password that you chose.</p>
        )}
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </Dialog>
    );
  }
  return (
    <FormDialog title="Create a user" verb="Create" action={action} onClose={onClose}>
      <TextField
        label="E-mail"
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SelectField label="Role" value={role} onChange={(event) => setRole(event.target.value)}>
        <Options values={ROLES} />
      </SelectField>
      <SelectField label="Plan" value={plan} onChange={(event) => setPlan(event.target.value)}>
        <Options values={PLAN_NAMES} />
      </SelectField>
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        minLength={8}
        value={password}
        hint="Leave it empty to get a one-time sign-in link."
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  );
}
