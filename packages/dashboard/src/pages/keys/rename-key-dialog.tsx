import type { ApiKeyInfo } from "@parlance/protocol";
import { type SyntheticEvent, useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Fault } from "../../ui/notice.tsx";

interface RenameKeyProps {
  readonly record: ApiKeyInfo;
  readonly onClose: () => void;
  readonly onRenamed: () => void;
}

export function RenameKeyDialog({ record, onClose, onRenamed }: RenameKeyProps) {
  const [name, setName] = useState(record.name);
  const action = useAction((signal) => client.account.keys.rename(record._id, name, { signal }));
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!(await action.run())) return;
    onRenamed();
    onClose();
  };
  return (
    <Dialog title="Rename the key" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          maxLength={100}
          required
          onChange={(event) => setName(event.target.value)}
        />
        <Fault error={action.error} />
        <Button type="submit" look="primary" busy={action.busy}>
          Rename
        </Button>
      </form>
    </Dialog>
  );
}
