import { SelectField } from "../../ui/field.tsx";

/** Those of Kokoro's voices. A voice that does not speak one is refused with the list of those that it does. */
export const LANGUAGES = ["en-US", "en-GB", "es", "fr", "hi", "it", "ja", "pt-BR", "zh"];
const NAMES = new Intl.DisplayNames(["en"], { type: "language" });

interface LanguageFieldProps {
  /** "": found for each sentence. */
  readonly value: string;
  readonly onChange: (tag: string) => void;
}

export function LanguageField({ value, onChange }: LanguageFieldProps) {
  const tags = value === "" || LANGUAGES.includes(value) ? LANGUAGES : [...LANGUAGES, value];
  return (
    <SelectField label="Spoken language" value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">found for each sentence</option>
      {tags.map((tag) => (
        <option key={tag} value={tag}>
          {nameOf(tag)}
        </option>
      ))}
    </SelectField>
  );
}

function nameOf(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
