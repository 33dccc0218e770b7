import { VISIBILITIES, type Visibility, VOICE_LIMITS } from "@parlance/protocol";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";

/** The editable fields of a voice, as typed. */
export interface VoiceDetails {
  readonly description: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly visibility: Visibility;
}

const VISIBILITY_LABELS: Readonly<Record<Visibility, string>> = {
  private: "only me",
  unlist: "anyone with its id",
  public: "everyone on this server",
};

interface TitleFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function TitleField({ value, onChange }: TitleFieldProps) {
  return (
    <TextField
      label="Title"
      required
      maxLength={VOICE_LIMITS.titleCharacters}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface VoiceFieldsProps {
  readonly value: VoiceDetails;
  readonly onChange: (value: VoiceDetails) => void;
}

export function VoiceFields({ value, onChange }: VoiceFieldsProps) {
  return (
    <>
      <TextArea
        label="Description"
        value={value.description}
        onChange={(event) => onChange({ ...value, description: event.target.value })}
      />
      <TextField
        label="Tags"
        value={value.tags}
        hint="Separated by commas."
        onChange={(event) => onChange({ ...value, tags: event.target.value })}
      />
      <SelectField
        label="Who may use it"
        value={value.visibility}
        onChange={(event) => {
          const visibility = VISIBILITIES.find((each) => each === event.target.value) ?? "private";
          onChange({ ...value, visibility });
        }}
      >
        {VISIBILITIES.map((each) => (
          <option key={each} value={each}>
            {VISIBILITY_LABELS[each]}
          </option>
        ))}
      </SelectField>
    </>
  );
}

export function toRequest({ tags, ...rest }: VoiceDetails) {
  const words = tags.split(",").map((tag) => tag.trim());
  return { ...rest, tags: words.filter((tag) => tag !== "") };
}
