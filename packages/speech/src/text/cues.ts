/**
 * The emotion, tone and sound marks of this API's public list. In square brackets anything that looks like a stage
 * direction is one; in parentheses, which prose also uses, only these words are.
 */
const EMOTIONS = `happy sad angry excited calm nervous confident surprised satisfied delighted scared worried upset
  frustrated depressed empathetic embarrassed disgusted moved proud relaxed grateful curious sarcastic disdainful unhappy
  anxious hysterical indifferent uncertain doubtful confused disappointed regretful guilty ashamed jealous envious hopeful
  optimistic pessimistic nostalgic lonely bored contemptuous sympathetic compassionate determined resigned impatient
  scornful panicked furious reluctant keen interested joyful disapproving negative denying astonished serious conciliative
  comforting sincere sneering hesitating yielding painful awkward amused fearful neutral`;

const TONES = `shouting screaming whispering whisper soft-tone in-a-hurry-tone emphasis loud shout scream softly`;

const SOUNDS = `laughing laugh laughs chuckling chuckle chuckles sobbing sob crying crying-loudly sighing sigh sighs
  groaning groan panting gasping gasp yawning yawn snoring cough coughing clear-throat clearing-throat breath breathing
  inhale exhale giggling giggle crowd-laughing background-laughter audience-laughing audience-laughter applause
  lip-smacking humming sniffing sniff sneezing`;

const INTENSITIES = new Set(["slightly", "very", "extremely", "a bit", "so"]);

const CUES = new Set(`${EMOTIONS} ${TONES} ${SOUNDS}`.split(/\s+/).map((cue) => cue.replaceAll("-", " ")));

/** Whether a mark in parentheses is one of the known cues: "(happy)", "(soft tone)", "(very excited)". */
export function isKnownCue(content: string): boolean {
  const words = content.trim().toLowerCase().replaceAll("-", " ");
  if (CUES.has(words)) return true;
  const space = words.lastIndexOf(" ");
  return space > 0 && INTENSITIES.has(words.slice(0, space)) && CUES.has(words.slice(space + 1));
}
