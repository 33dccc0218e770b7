import { PROJECT_LIMITS } from "@parlance/protocol";
import { TextField } from "../../ui/field.tsx";

/** The title of a project. */
export function TitleField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (title: string) => void;
}) {
  return (
    <TextField
      label="Title"
      value={value}
      required
      maxLength={PROJECT_LIMITS.titleCharacters}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
