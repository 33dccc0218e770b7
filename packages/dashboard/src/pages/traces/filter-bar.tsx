import { SelectField, TextField } from "../../ui/field.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import type { Filters } from "./filters.ts";

const SCOPES = [
  { value: "own", label: "Mine" },
  { value: "all", label: "All accounts" },
] as const;

interface FilterBarProps {
  readonly filters: Filters;
  readonly isAdmin: boolean;
  readonly onChange: (changed: Partial<Filters>) => void;
}

export function FilterBar({ filters, isAdmin, onChange }: FilterBarProps) {
  return (
    <section className="card trace-filters" aria-label="Filters">
      {isAdmin && (
        <Tabs
          label="Accounts"
          value={filters.all ? "all" : "own"}
          options={SCOPES}
          onChange={(scope) => onChange({ all: scope === "all" })}
        />
      )}
      <SelectField
        label="Status"
        value={filters.status}
        onChange={(event) => onChange({ status: event.target.value as Filters["status"] })}
      >
        <option value="">any</option>
        <option value="ok">successful</option>
        <option value="error">rejected, failed or interrupted</option>
      </SelectField>
      <SelectField
        label="Operation"
        value={filters.operation}
        onChange={(event) => onChange({ operation: event.target.value as Filters["operation"] })}
      >
        <option value="">any</option>
        <option value="tts">text to speech</option>
        <option value="live">live speech</option>
        <option value="asr">speech to text</option>
      </SelectField>
      <Milliseconds label="Min. duration (ms)" value={filters.min_ms} onChange={(min_ms) => onChange({ min_ms })} />
      <Milliseconds label="Max. duration (ms)" value={filters.max_ms} onChange={(max_ms) => onChange({ max_ms })} />
    </section>
  );
}

interface MillisecondsProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Milliseconds({ label, value, onChange }: MillisecondsProps) {
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={0}
      step="any"
      placeholder="any"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
