/** Strongest first: of several marks behind a word the first found here shapes how it is spoken. */
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

/** Punctuation as the speech engines know it: "" or one of , . ; : ! ? — … */
export function spokenPunctuation(after: string): string {
  if (after === "") return "";
  if (after.length === 1 && ",.;:!?—…".includes(after)) return after;
  return STRENGTHS.find(([, pattern]) => pattern.test(after))?.[0] ?? "";
}

/** A dot that does not end its sentence belongs to an abbreviation, a list number or a quotation. */
export function innerPunctuation(after: string, numbered: boolean): string {
  const spoken = spokenPunctuation(after);
  if (spoken !== ".") return spoken;
  return numbered || /[.。]["”’')]/.test(after) ? "," : spokenPunctuation(after.replace(/[.。]/g, ""));
}

/** Whether a bracket opens before a word: speakers pause there. */
export const opensBracket = (before: string): boolean => /[([{（【]/.test(before);
