/** The list as text: a line of "word = pronunciation" for each word. */
export function toLines(list: Readonly<Record<string, string>>): string {
  return Object.entries(list)
    .map(([word, value]) => `${word} = ${value}`)
    .join("\n");
}

/** Throws an error that names the first line without "=". */
export function fromLines(text: string): Record<string, string> {
  const entries: [string, string][] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const at = line.indexOf("=");
    if (at < 0) throw new Error(`"${line.trim()}" has no "=" between the word and its pronunciation`);
    entries.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
  }
  return Object.fromEntries(entries);
}
