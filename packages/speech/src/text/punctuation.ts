/** Strongest first: of several marks after a word the first one in this list counts. */
const STRENGTHS: readonly (readonly [string, RegExp])[] = [
  ["?", /[?？؟]/],
  ["!", /[!！]/],
  ["…", /…|\.{2,}/],
  [".", /[.。｡।॥۔։።]/],
  [";", /[;；؛]/],
  [":", /[:：]/],
  ["—", /[—―]/],
  [",", /[,，、､،)\]}）】|]/],
];

/** Punctuation that the engines support: "" or one of , . ; : ! ? — … */
export function spokenPunctuation(after: string): string {
  if (after === "") return "";
  if (after.length === 1 && ",.;:!?—…".includes(after)) return after;
  return STRENGTHS.find(([, pattern]) => pattern.test(after))?.[0] ?? "";
}

/** A dot that does not end its sentence belongs to an abbreviation, a list number or a quotation. */
export function innerPunctuation(after: string, numbered: boolean): string {
  const spoken = spokenPunctuation(after);
  if (spoken !== ".") return spoken;
  return numbered || /[.。]["”’')」』]/.test(after) ? "," : spokenPunctuation(after.replace(/[.。]/g, ""));
}

/** Whether a bracket opens before a word: there is a pause. */
export const opensBracket = (before: string): boolean => /[([{（【]/.test(before);
