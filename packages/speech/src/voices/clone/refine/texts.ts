/**
 * What a voice says while it is refined: each sentence lasts about three seconds, and together they have all sounds of
 * English. A voice that was refined in English is more similar to its speaker in other languages, too.
 */
export const REFINEMENT_TEXTS: readonly string[] = [
  "We watched the boats leave the harbour before the sun came up.",
  "Her brother repairs old radios in a workshop behind the house.",
  "Nothing in that shop costs more than four or five pounds.",
  "She enjoyed the quiet journey through the yellow valley.",
  "We thought the television was broken, but it only needed a new cable.",
  "Which of those blue jackets would you choose for the voyage?",
  "Fresh vegetables and good fish are cheap at the market.",
  "He usually measures each board twice before he cuts it.",
  "Young people should join us and sing louder than before.",
  "They put the heavy box of tools beside the garage door.",
  "My uncle threw a few small stones into the calm water.",
  "The first bus this morning was empty, and nobody asked for a ticket.",
];

/** What it says when its similarity is measured. */
export const MEASURED_TEXTS: readonly string[] = [
  "The weather was unusually pleasant, so we took the long way home.",
  "Could somebody please show me how this strange machine works?",
  "Each of the judges gave their own opinion about the choice.",
  "Put the letters on the table next to the green lamp.",
  "Our youngest cousin found a treasure under the old bridge.",
  "They were both very proud of the flowers in their garden.",
];
