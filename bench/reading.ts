/**
 * How written numbers, dates, money and so on are read out:
 *
 *     npm run bench -- reading --cases DIR [--failures] [--language CODE]
 *
 * DIR holds `<language>/<class>.txt` with lines `written~spoken`; more accepted readings may follow, separated by `~`. A case
 * is right if the words spoken are one of its readings, after the folding that `reading/fold.ts` describes.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { planChunks } from "../packages/speech/src/text/index.ts";
import { type Case, casesOf } from "./reading/cases.ts";
import { fold } from "./reading/fold.ts";
import { round } from "./statistics.ts";

/** The language of each folder, as the voices name it. */
const TAGS: Readonly<Record<string, string>> = {
  en: "en-us",
  es: "es",
  fr: "fr-fr",
  it: "it",
  pt: "pt-br",
  hi: "hi",
  ja: "ja",
  zh: "zh",
};

interface Count {
  cases: number;
  right: number;
}

export async function benchReading(args: readonly string[]): Promise<unknown> {
  const { values } = parseArgs({
    args: [...args],
    options: { cases: { type: "string" }, failures: { type: "boolean" }, language: { type: "string" } },
  });
  const root = values.cases;
  if (root === undefined) throw new Error("--cases DIR is missing: a folder of <language>/<class>.txt");
  const figures: Record<string, Count & { classes: Record<string, Count> }> = {};
  for (const language of readdirSync(root).sort()) {
    const tag = TAGS[language];
    if (tag === undefined || (values.language !== undefined && values.language !== language)) continue;
    const classes: Record<string, Count> = {};
    for (const { name, cases } of casesOf(join(root, language))) {
      const wrong = cases.filter((one) => !isRight(one, tag));
      if (cases.length > 0) classes[name] = { cases: cases.length, right: cases.length - wrong.length };
      if (values.failures === true) for (const one of wrong) printFailure(`${language} ${name}`, one, tag);
    }
    const all = Object.values(classes);
    const sum = (pick: (count: Count) => number): number => all.reduce((total, count) => total + pick(count), 0);
    figures[language] = { cases: sum(({ cases }) => cases), right: sum(({ right }) => right), classes };
  }
  if (Object.keys(figures).length === 0) throw new Error(`there are no cases of a spoken language in ${root}`);
  print(figures);
  return figures;
}

/** What is said for a text, without punctuation. */
function spoken(text: string, tag: string): string {
  const chunks = planChunks(text, {
    latency: "normal",
    chunkLength: 300,
    minChunkLength: 0,
    normalize: true,
    languageOf: () => tag,
  });
  return [...chunks].flatMap(({ words }) => words.map((word) => word.text)).join(" ");
}

const isRight = ({ written, readings }: Case, tag: string): boolean => {
  const said = fold(spoken(written, tag), tag);
  return readings.some((reading) => fold(reading, tag) === said);
};

function printFailure(kind: string, { written, readings }: Case, tag: string): void {
  const said = fold(spoken(written, tag), tag);
  console.log(
    `${kind}: ${written}\n    said   ${said}\n    wanted ${readings.map((one) => fold(one, tag)).join(" ~ ")}`,
  );
}

function print(figures: Readonly<Record<string, Count & { classes: Readonly<Record<string, Count>> }>>): void {
  for (const [language, { cases, right, classes }] of Object.entries(figures)) {
    const parts = Object.entries(classes).map(([name, count]) => `${name} ${count.right}/${count.cases}`);
    console.log(`${language}  ${right} of ${cases} right (${round((100 * right) / cases, 1)} %)  ${parts.join(", ")}`);
  }
}
