import type { ApiKeyInfo } from "@parlance/protocol";
import { useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { LimitFields, limitsOf, typed } from "./limit-fields.tsx";

interface ChangeKeyProps {
  readonly record: ApiKeyInfo;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function ChangeKeyDialog({ record, onClose, onChanged }: ChangeKeyProps) {
  const [name, setName] = useState(record.name);
  const [limits, setLimits] = useState(typed(record.limits));
  const action = useAction(async (signal) => {
    if (name !== record.name) await client.account.keys.rename(record._id, name, { signal });
    await client.account.keys.setLimits(record._id, limitsOf(limits) ?? null, { signal });
    onChanged();
    onClose();
  });
  return (
    <FormDialog title="Change the key" verb="Save" action={action} onClose={onClose}>
      <TextField label="Name" value={name} maxLength={100} required onChange={(event) => setName(event.target.value)} />
      <LimitFields values={limits} onChange={setLimits} />
    </FormDialog>
  );
}
