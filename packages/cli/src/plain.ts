/** People choose names; a terminal would obey what they wrote into them. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, "?");
}
