import { lazyValue } from "./lazy-value.ts";

// Its data takes long to load.
const names = lazyValue(() => new Intl.DisplayNames(["en"], { type: "language" }));

/** The English name of a language by its code, or the code where it has none. */
export function languageName(code: string): string {
  return names().of(code) ?? code;
}
