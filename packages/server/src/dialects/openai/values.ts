import { apiError, describeValue } from "@parlance/protocol";

/** The value, or else the first of those that are allowed. Throws the 400 for any other. */
export function listedValue<Value extends string>(
  field: string,
  value: string | undefined,
  allowed: readonly [Value, ...Value[]],
): Value {
  if (value === undefined) return allowed[0];
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw invalid(field, value, `it must be one of ${allowed.join(", ")}`);
}

export function invalid(field: string, value: unknown, allowed: string) {
  return apiError("invalid_value", { field, value: describeValue(value), allowed });
}
