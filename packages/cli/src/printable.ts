/** Replaces control characters: names come from users, and a terminal would interpret escape sequences in them. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, "?");
}
