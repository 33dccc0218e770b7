import type { AccountRecord } from "@parlance/protocol";
import { useState } from "react";
import { formatNumber } from "../../lib/format.ts";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { useLoad } from "../../lib/use-load.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useToast } from "../../ui/toasts.tsx";

export function GrantDialog({ user, onClose }: { readonly user: AccountRecord; readonly onClose: () => void }) {
  const [amount, setAmount] = useState("10000");
  const [note, setNote] = useState("");
  // A repeated click after a lost response does not grant twice.
  const [key] = useState(() => crypto.randomUUID());
  const showToast = useToast();
  const wallet = useLoad((signal) => client.wallet.package({ userId: user._id, signal }), [user._id]);
  const action = useAction(async (signal) => {
    const grant = { amount: Number(amount), idempotency_key: key, ...(note === "" ? {} : { note }) };
    const { extra_balance } = await client.admin.grant(user._id, grant, { signal });
    showToast(`${formatNumber(extra_balance)} extra credits now`);
    onClose();
  });
  return (
    <FormDialog
      title={`Grant credits to ${user.email ?? user.nickname}`}
      verb="Grant"
      action={action}
      error={wallet.error}
      onClose={onClose}
    >
      {wallet.data && (
        <p className="soft number">
          {formatNumber(wallet.data.balance)} in the {wallet.data.type} package,{" "}
          {formatNumber(wallet.data.extra_balance)} extra
        </p>
      )}
      <TextField
        label="Credits"
        type="number"
        required
        step={1}
        value={amount}
        hint="Extra credits do not expire and are used after the package. A negative number removes credits."
        onChange={(event) => setAmount(event.target.value)}
      />
      <TextField label="Note" maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
    </FormDialog>
  );
}
