import type { ApiKeyInfo } from "@parlance/protocol";
import { useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface RenameKeyProps {
  readonly record: ApiKeyInfo;
  readonly onClose: () => void;
  readonly onRenamed: () => void;
}

export function RenameKeyDialog({ record, onClose, onRenamed }: RenameKeyProps) {
  const [name, setName] = useState(record.name);
  const action = useAction(async (signal) => {
    await client.account.keys.rename(record._id, name, { signal });
    onRenamed();
    onClose();
  });
  return (
    <FormDialog title="Rename the key" verb="Rename" action={action} onClose={onClose}>
      <TextField label="Name" value={name} maxLength={100} required onChange={(event) => setName(event.target.value)} />
    </FormDialog>
  );
}
