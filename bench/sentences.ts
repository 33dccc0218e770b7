/** Texts for the benchmarks. */
export const sentences = [
  "The harbour was quiet, and the last of the boats had come in before the wind turned to the north.",
  "Nobody on the quay remembered a colder morning, though the old men said that they did.",
  "By noon the ice had reached the second bridge, and the children were told to stay away from the edge.",
  "A letter came from the capital, which promised grain, blankets and two more engines before the end of the week.",
  "The mayor read it aloud twice, once for the council and once, more slowly, for everybody else.",
];

/** A text of about so many characters. */
export function ofLength(characters: number): string {
  const text = sentences.join(" ").repeat(4).slice(0, characters);
  return `${text.slice(0, text.lastIndexOf(" ")).replace(/[,.]$/, "")}.`;
}
