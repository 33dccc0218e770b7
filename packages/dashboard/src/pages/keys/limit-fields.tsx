import { KEY_LIMITS, type KeyLimitName, type KeyLimits } from "@parlance/protocol";
import { TextField } from "../../ui/field.tsx";

/** The limits as they are typed: an empty text is no limit. */
export type TypedLimits = Readonly<Record<KeyLimitName, string>>;

const LABELS: Readonly<Record<KeyLimitName, string>> = {
  requests_per_minute: "Requests per minute",
  concurrency: "Requests at a time",
  credits_per_day: "Credits per day",
  credits_per_month: "Credits per month",
  credits_total: "Credits in all",
};
const NAMES = Object.keys(LABELS) as readonly KeyLimitName[];

export function typed(limits: { readonly [Name in KeyLimitName]?: number | null | undefined } | null): TypedLimits {
  return Object.fromEntries(NAMES.map((name) => [name, String(limits?.[name] ?? "")])) as TypedLimits;
}

/** Undefined when no limit is typed. */
export function limitsOf(values: TypedLimits): KeyLimits | undefined {
  const set = NAMES.filter((name) => values[name] !== "").map((name) => [name, Number(values[name])]);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

interface LimitFieldsProps {
  readonly values: TypedLimits;
  readonly onChange: (values: TypedLimits) => void;
}

export function LimitFields({ values, onChange }: LimitFieldsProps) {
  return (
    <details className="limits" open={limitsOf(values) !== undefined}>
      <summary>Limits of this key</summary>
      <p className="small soft">
        They apply beside those of your account. An empty field is no limit. Days and months are those of UTC.
      </p>
      <div className="limit-fields">
        {NAMES.map((name) => (
          <TextField
            key={name}
            label={LABELS[name]}
            type="number"
            min={1}
            max={KEY_LIMITS[name]}
            value={values[name]}
            placeholder="no limit"
            onChange={(event) => onChange({ ...values, [name]: event.target.value })}
          />
        ))}
      </div>
    </details>
  );
}
