import { stockVoices } from "@parlance/speech";
import { openEncoders } from "../kokoro/encoders.ts";
import { correlation } from "../kokoro/pitch.ts";
import { type Item, sentences as kokoroSentences } from "../kokoro/texts.ts";
import { sentences as everydaySentences } from "../languages/sentences.ts";
import { meanOf, round, sumOf } from "../statistics.ts";
import { type ProsodyDifference, prosodyDifference } from "./prosody.ts";
import { shortAndLong } from "./sentences.ts";

/**
 * `now` is this version's encoder, `before` the older one, which is the encoder of `full` quality in 8 bits, and `exact` the
 * original in float32: the older one's rounding is a difference, too.
 */
const comparisons = ["now to before", "now to exact", "before to exact"] as const;
type Comparison = (typeof comparisons)[number];

interface Result extends Item {
  readonly tokens: number;
  readonly differences: Readonly<Record<Comparison, ProsodyDifference>>;
}

/** The upper bounds of short and medium texts, in tokens. */
const LENGTHS: readonly { readonly name: string; readonly most: number }[] = [
  { name: "short", most: 25 },
  { name: "medium", most: 100 },
  { name: "long", most: Number.POSITIVE_INFINITY },
];

/** Durations and pitch of the encoders, without audio, on the same phonemes: those of this checkout. */
export async function compareEncoder(perVoice: number, languages: readonly string[] | undefined) {
  const encoders = await openEncoders(2);
  if (!encoders.teacherIsFull) throw new Error("the model kokoro-fp32 is not installed");
  const results: Result[] = [];
  try {
    for (const item of encoderItems(perVoice)) {
      if (languages !== undefined && !languages.includes(baseOf(item))) continue;
      const ids = await encoders.spell(item);
      const [now, before, exact] = [
        await encoders.encode(item, ids, "fast"),
        await encoders.encode(item, ids, "full"),
        await encoders.encode(item, ids, "exact"),
      ];
      const differences = {
        "now to before": prosodyDifference(now, before),
        "now to exact": prosodyDifference(now, exact),
        "before to exact": prosodyDifference(before, exact),
      };
      results.push({ ...item, tokens: ids.length - 2, differences });
    }
  } finally {
    await encoders.close();
  }
  const byLanguage = rowsOf(results, baseOf);
  const byVoice = rowsOf(results, ({ voice }) => voice);
  const byLength = rowsOf(results, ({ tokens }) => LENGTHS.find(({ most }) => tokens <= most)?.name ?? "");
  for (const [language, row] of Object.entries(byLanguage)) {
    const own = results.filter((result) => baseOf(result) === language);
    Object.assign(row, { "worst voice": worstVoice(byVoice, new Set(own.map(({ voice }) => voice))) });
  }
  console.log(
    "frames off: mean over the sentences, ± its standard error. F0: over all voiced phonemes, ± by jackknife",
  );
  for (const rows of [byLanguage, byVoice, byLength]) console.table(rows);
  return {
    ...{ byLanguage, byVoice, byLength },
    sentences: results.map(({ differences, ...item }) => ({
      ...item,
      ...Object.fromEntries(comparisons.map((name) => [name, figuresOf([differences[name]])])),
    })),
  };
}

/** The voices of a language speak its sentences in turns: each of them so many, and each sentence at least once. */
function encoderItems(perVoice: number): Item[] {
  return Object.entries(everydaySentences).flatMap(([language, everyday]) => {
    const texts = [...(kokoroSentences[language] ?? []), ...everyday, ...(shortAndLong[language] ?? [])];
    const voices = stockVoices.filter((voice) => voice.engine === "kokoro" && voice.language.startsWith(language));
    if (voices.length === 0) return [];
    return Array.from({ length: Math.max(texts.length, perVoice * voices.length) }, (_, index) => {
      // Each time round, another voice has the first sentence.
      const voice = voices[(index + Math.floor(index / texts.length)) % voices.length];
      const text = texts[index % texts.length];
      if (voice === undefined || text === undefined) throw new Error(`there are no sentences in ${language}`);
      return { text, voice: voice.slug, language: voice.engineVoice.language };
    });
  });
}

const baseOf = ({ language }: Item): string => language.slice(0, 2);

type Row = Record<string, string | number>;

function rowsOf(results: readonly Result[], keyOf: (result: Result) => string): Record<string, Row> {
  const groups = new Map<string, Result[]>();
  for (const result of results) groups.set(keyOf(result), [...(groups.get(keyOf(result)) ?? []), result]);
  return Object.fromEntries(
    [...groups].map(([key, group]) => {
      const row: Row = { sentences: group.length };
      for (const name of comparisons) {
        const { framesOff, framesOffError, F0, F0Error } = figuresOf(group.map(({ differences }) => differences[name]));
        row[`${name}: frames off %`] = `${framesOff} ± ${framesOffError}`;
        row[`${name}: F0`] = `${F0} ± ${F0Error}`;
      }
      return [key, row];
    }),
  );
}

function figuresOf(differences: readonly ProsodyDifference[]) {
  const shares = differences.map(({ framesOff }) => 100 * framesOff);
  const correlations = differences.map((_, left) => correlationOf(differences.filter((_, index) => index !== left)));
  const count = differences.length;
  return {
    framesOff: round(meanOf(shares), 2),
    framesOffError: round(Math.sqrt(squaresOf(shares) / (count - 1) / count), 2),
    F0: round(correlationOf(differences), 3),
    F0Error: round(Math.sqrt((squaresOf(correlations) * (count - 1)) / count), 3),
  };
}

const correlationOf = (differences: readonly ProsodyDifference[]): number =>
  correlation(differences.flatMap(({ tones }) => tones));

/** The sum of the squared differences from the mean. */
function squaresOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return sumOf(values.map((value) => (value - mean) ** 2));
}

function worstVoice(byVoice: Readonly<Record<string, Row>>, voices: ReadonlySet<string>): string {
  const column = "now to before: frames off %";
  const off = (voice: string) => Number.parseFloat(String(byVoice[voice]?.[column]));
  const worst = [...voices].reduce((most, voice) => (off(voice) > off(most) ? voice : most));
  return `${worst} ${byVoice[worst]?.[column]}`;
}
