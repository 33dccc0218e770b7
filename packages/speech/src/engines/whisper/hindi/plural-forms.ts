/** The plurals of a word, and of one in "-ा" the oblique singular, as if it were a noun. */
export function pluralForms(word: string): string[] {
  const stem = word.slice(0, -1);
  if (word.endsWith("ी")) return [`${stem}ियाँ`, `${stem}ियों`];
  if (word.endsWith("ई")) return [`${stem}इयाँ`, `${stem}इयों`];
  if (word.endsWith("ा")) return [`${stem}े`, `${stem}ों`];
  return /[क-ह]़?$/u.test(word) ? [`${word}ें`, `${word}ों`] : [];
}
