import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";
import { Fault } from "./notice.tsx";

interface NewPasswordProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint: string;
  readonly action: { readonly busy: boolean; readonly error: unknown };
}

/** The end of a form that sets a password: the field, what went wrong, the button. */
export function NewPassword({ value, onChange, hint, action }: NewPasswordProps) {
  return (
    <>
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={512}
        required
        value={value}
        hint={hint}
        onChange={(event) => onChange(event.target.value)}
      />
      <Fault error={action.error} />
      <div>
        <Button type="submit" look="primary" busy={action.busy}>
          Set the password
        </Button>
      </div>
    </>
  );
}
