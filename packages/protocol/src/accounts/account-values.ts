import { PLAN_NAMES, type PlanName } from "../billing/plans.ts";
import { type ApiError, apiError, describeValue } from "../wire/api-error.ts";
import { countCharacters } from "../wire/limits.ts";
import { ROLES, type Role } from "./roles.ts";

const MAX_NAME = 100;
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 512;
const MAX_EMAIL = 254;

/** The address as it is stored: in lower case. Throws the 400 that says what is wrong. */
export function checkEmail(value: string, field = "email"): string {
  const email = value.trim().toLowerCase();
  // Only a minimal check: whether mail arrives there cannot be tested here.
  const isPlausible = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(email) && isPrintable(email);
  if (isPlausible && email.length <= MAX_EMAIL) return email;
  throw refused(field, value, `it must be an e-mail address of at most ${MAX_EMAIL} characters`);
}

/** A display name. */
export function checkName(value: string, field: string): string {
  const name = value.trim();
  const length = countCharacters(name);
  if (length >= 1 && length <= MAX_NAME && isPrintable(name)) return name;
  throw refused(field, value, `it must have 1 to ${MAX_NAME} characters, none of them a control character`);
}

export function checkPassword(value: string, field: string): string {
  const length = countCharacters(value);
  if (length >= MIN_PASSWORD && length <= MAX_PASSWORD) return value;
  throw apiError("invalid_value", {
    field,
    value: "the password",
    allowed: `it must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`,
  });
}

export function checkRole(value: string): Role {
  return checkOneOf(ROLES, value, "role");
}

export function checkPlan(value: string): PlanName {
  return checkOneOf(PLAN_NAMES, value, "plan");
}

/** A time in the future. */
export function checkExpiry(value: string, now: number, field = "expires_at"): Date {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/i.test(value);
  const expiry = new Date(isTime ? value : Number.NaN);
  if (!Number.isNaN(expiry.getTime()) && expiry.getTime() > now && expiry.getUTCFullYear() < 10_000) return expiry;
  throw refused(field, value, "it must be a time to come, such as 2030-01-31T12:00:00Z");
}

function checkOneOf<Value extends string>(allowed: readonly Value[], value: string, field: string): Value {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw refused(field, value, `it must be one of ${allowed.join(", ")}`);
}

function refused(field: string, value: string, allowed: string): ApiError {
  return apiError("invalid_value", { field, value: describeValue(value), allowed });
}

/** No control characters, lone surrogates or characters that change the text direction. */
function isPrintable(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text);
}
