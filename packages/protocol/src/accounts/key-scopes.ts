/** What a key may be used for. */
export const KEY_SCOPES = ["speak", "listen", "voices", "account", "admin"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The known scopes among these words, in the order of the list. Undefined when one of them is unknown, or there is none. */
export function parseScopes(words: readonly string[]): readonly KeyScope[] | undefined {
  const known = KEY_SCOPES.filter((scope) => words.includes(scope));
  return words.length > 0 && words.every((word) => known.some((scope) => scope === word)) ? known : undefined;
}
