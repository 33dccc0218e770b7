import { ConfigError } from "./config-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** How the text of an environment variable becomes a value. */
export interface ValueType<Value> {
  /** Completes "it must be …" in an error message, and is shown in the documentation. */
  readonly allowed: string;
  /** Throws for text that is not allowed. */
  parse(text: string): Value;
}

/** One environment variable: everything that the program and its documentation know of it. */
export interface Setting<Value = unknown> {
  readonly name: string;
  /** A more specific variable that takes precedence. */
  readonly overriddenBy?: string;
  readonly type: ValueType<Value>;
  /** The default as an operator would write it, or in words what happens without the variable. */
  readonly default: string;
  /** Whether `default` is a value that could be given. */
  readonly hasDefault: boolean;
  defaultValue(): Value;
  /** Sentences in Markdown. The first is a summary that can stand alone. */
  readonly meaning: string;
  /** The value is never shown. */
  readonly secret: boolean;
}

export type ValueOf<Entry> = Entry extends Setting<infer Value> ? Value : never;

interface Description<Value> {
  readonly name: string;
  readonly overriddenBy?: string;
  readonly type: ValueType<Value>;
  readonly meaning: string;
  readonly secret?: boolean;
}

/** A setting with a default, which is parsed like a given value unless `defaultValue` says otherwise. */
export function setting<Value>(
  entry: Description<Value> & { readonly default: string; readonly defaultValue?: () => Value },
): Setting<Value> {
  return {
    secret: false,
    hasDefault: true,
    defaultValue: () => entry.type.parse(entry.default),
    ...entry,
  };
}

/** A setting that may stay unset. */
export function optionalSetting<Value>(
  entry: Description<Value> & { readonly unset: string },
): Setting<Value | undefined> {
  const { unset, ...rest } = entry;
  return { secret: false, ...rest, default: unset, hasDefault: false, defaultValue: () => undefined };
}

/** The variable that sets it, if one does. An empty variable counts as not set. */
export function givenName({ name, overriddenBy }: Setting, env: Environment): string | undefined {
  return [overriddenBy, name].find((each) => each !== undefined && (env[each] ?? "") !== "");
}

/** Throws `ConfigError` for a value that is not allowed. */
export function readSetting<Value>(entry: Setting<Value>, env: Environment): Value {
  const name = givenName(entry, env);
  if (name === undefined) return entry.defaultValue();
  const text = env[name] ?? "";
  try {
    return entry.type.parse(text);
  } catch {
    const shown = entry.secret ? "the given value (not shown)" : JSON.stringify(withoutCredentials(text));
    throw new ConfigError(`${name}: ${shown} is not allowed, it must be ${entry.type.allowed}`);
  }
}

/** An address without its user name and password. */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/\s]*@/, "//(secret)@");
}

/** The first sentence of the meaning, for lists. */
export function summaryOf({ meaning }: Setting): string {
  return toPlainText(/^.*?[.](?= [A-Z`]|$)/.exec(meaning)?.[0] ?? meaning);
}

/** Markdown as it can be shown in a terminal or on a page. */
export function toPlainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\(([\w-]+\.md)[^)]*\)/g, (_, text, page) =>
      text === page ? `docs/${page}` : `${text} (docs/${page})`,
    )
    .replaceAll("`", "");
}
