import { parseArgs } from "node:util";
import { LANGUAGES } from "./spoken-sentences.ts";

export const USAGE = `usage: npm run bench -- clone [options]

  --recordings DIR      a folder of recordings for each person
  --people DIR          files named PERSON-1.wav, PERSON-2.wav and so on
                        Without both, the reader of the test clips is used.
  --limit N             only N of these people, evenly spaced over the list. Ranks are among them.
  --languages en,es     the languages to speak; all of them by default
  --sentences N         how many sentences are spoken in each language; 24 by default
  --refined             also refine each voice, and measure it again. Slow: up to three minutes of one core for each person
  --second-recognizer   also count misheard words by Whisper small
  --help                print this
`;

export interface CloneOptions {
  readonly recordings: string | undefined;
  readonly people: string | undefined;
  readonly limit: number | undefined;
  readonly languages: readonly string[];
  readonly sentences: number;
  readonly refined: boolean;
  readonly secondRecognizer: boolean;
}

/** Undefined where only the usage is requested. */
export function readOptions(words: readonly string[]): CloneOptions | undefined {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const options = {
    ...{ recordings: text, people: text, limit: text, languages: text, sentences: text },
    ...{ refined: flag, "second-recognizer": flag, help: flag },
  } as const;
  const { values } = parseArgs({ args: [...words], options });
  if (values.help) return undefined;
  return {
    recordings: values.recordings,
    people: values.people,
    limit: values.limit === undefined ? undefined : countOf("--limit", values.limit),
    languages: values.languages?.split(",") ?? LANGUAGES,
    sentences: countOf("--sentences", values.sentences ?? "24"),
    refined: values.refined,
    secondRecognizer: values["second-recognizer"],
  };
}

function countOf(option: string, value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new Error(`${option} must be a whole number above 0, not ${value}`);
  return count;
}
