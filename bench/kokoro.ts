import { mkdirSync, writeFileSync } from "node:fs";
import { type Compared, type Comparison, compareAll } from "./kokoro/compare.ts";
import { benchService } from "./kokoro/over-http.ts";
import { spectrogramPng } from "./kokoro/picture.ts";
import { correlation } from "./kokoro/pitch.ts";
import { type Recognition, type RecognizerName, recognizers } from "./kokoro/recognition.ts";
import { benchStages } from "./kokoro/stage-speed.ts";
import type { Item } from "./kokoro/texts.ts";
import { meanOf, round } from "./statistics.ts";

const PICTURES = "bench/results/kokoro";

/** Kokoro with the small decoder of this project (the student) compared with its own (the teacher). */
export async function benchKokoro(): Promise<unknown> {
  console.log("seconds of work per second of speech");
  const stages = await benchStages();
  const service = { fast: await benchService("fast"), full: await benchService("full") };
  return { stages, service, similarity: await benchSimilarity() };
}

async function benchSimilarity(items?: readonly Item[]): Promise<unknown> {
  const compared = await compareAll((done, all) => process.stderr.write(`\r${done} of ${all} sentences `), items);
  process.stderr.write("\n");
  const figures = {
    teacher: compared.teacherIsFull ? "kokoro-fp32" : "kokoro-q8",
    words: wordErrorRates(compared.comparisons),
    languages: byLanguage(compared.comparisons),
    ...overall(compared),
  };
  console.log("word error rate, %");
  console.table(figures.words);
  console.log("similarity of student and teacher");
  console.table(figures.languages);
  console.table(figures.all);
  console.log("least similar voices (x-vector):", figures.worstVoices);
  console.log("largest mel distances:", figures.worstMel);
  console.log("worst pitch:", figures.worstPitch);
  console.log("recognition errors of the student only:", figures.recognitionErrors);
  mkdirSync(PICTURES, { recursive: true });
  for (const { item, teacher, student } of compared.pictures) {
    writeFileSync(`${PICTURES}/${item.voice}.png`, spectrogramPng([teacher, student]));
  }
  console.log(`spectrograms, the teacher's above: ${PICTURES}/*.png`);
  return figures;
}

const languageOf = ({ item }: Comparison) => item.language.slice(0, 2);

/** By language: for each recognizer, and for both together. */
function wordErrorRates(comparisons: readonly Comparison[]) {
  const rows: Record<string, Record<string, number>> = {};
  for (const language of new Set(comparisons.map(languageOf))) {
    const own = comparisons.filter((one) => languageOf(one) === language);
    const used = recognizers.filter((recognizer) => own.some((one) => one.recognized.teacher[recognizer]));
    if (used.length === 0) continue;
    const row = (of: readonly RecognizerName[]) => {
      const total = (who: "teacher" | "student", what: Exclude<keyof Recognition, "text">) =>
        own.reduce((sum, one) => sum + of.reduce((all, name) => all + (one.recognized[who][name]?.[what] ?? 0), 0), 0);
      const rate = (who: "teacher" | "student") => (100 * total(who, "errors")) / total(who, "words");
      return {
        sentences: own.length,
        words: total("teacher", "words"),
        teacher: round(rate("teacher"), 2),
        student: round(rate("student"), 2),
        more: round(rate("student") - rate("teacher"), 2),
      };
    };
    for (const recognizer of used) rows[`${language}, ${recognizer}`] = row([recognizer]);
    rows[`${language}, both`] = row(used);
  }
  return rows;
}

function byLanguage(comparisons: readonly Comparison[]) {
  const rows: Record<string, Record<string, number>> = {};
  for (const language of [...new Set(comparisons.map(languageOf)), "all"]) {
    const own = comparisons.filter((one) => language === "all" || languageOf(one) === language);
    rows[language] = {
      sentences: own.length,
      "x-vector cosine": round(meanOf(own.map((one) => one.cosine)), 3),
      "log-mel distance": round(meanOf(own.map((one) => one.mel)), 3),
      "F0 correlation, all frames": round(correlation(own.flatMap((one) => one.pitch.points)), 3),
      "… mean of sentences": round(meanOf(own.map((one) => one.pitch.correlation)), 3),
      "without octave jumps": round(meanOf(own.map((one) => one.pitch.withoutJumps)), 3),
      "jumps %": round(100 * meanOf(own.map((one) => one.pitch.jumps)), 1),
      "voicing agrees %": round(100 * meanOf(own.map((one) => one.pitch.voicing)), 1),
    };
  }
  return rows;
}

function overall({ comparisons, voices }: Compared) {
  const bands = comparisons[0]?.spectrum.map((_, band) => meanOf(comparisons.map((one) => one.spectrum[band] ?? 0)));
  const spectrum = [...(bands ?? [])].map((value) => round(value, 2));
  const silence = comparisons.flatMap((one) => one.silence);
  const worst = (value: (one: Comparison) => number, count = 5) =>
    [...comparisons]
      .sort((a, b) => value(b) - value(a))
      .slice(0, count)
      .map((one) => `${one.item.voice} ${round(Math.abs(value(one)), 3)}`)
      .join(", ");
  const byCosine = [...voices].sort((a, b) => a[1] - b[1]);
  return {
    all: {
      "x-vector cosine of a voice, mean": round(meanOf([...voices.values()]), 3),
      "… least": round(byCosine[0]?.[1] ?? Number.NaN, 3),
      "long-term spectrum, mean of 24 bands dB": round(meanOf(spectrum.map(Math.abs)), 2),
      "… largest band dB": round(Math.max(...spectrum.map(Math.abs)), 2),
      "louder than the teacher dB": round(meanOf(comparisons.map((one) => one.louderDb)), 2),
      "where the teacher is silent, mean dBFS": round(meanOf(silence), 1),
      "… loudest 25 ms dBFS": round(Math.max(...silence), 1),
      "energy below 40 Hz, teacher dB": round(meanOf(comparisons.map((one) => one.below40.teacher)), 1),
      "… student dB": round(meanOf(comparisons.map((one) => one.below40.student)), 1),
      "waveform curvature at window boundaries, relative": round(
        meanOf(comparisons.flatMap((one) => one.curvature)),
        2,
      ),
    },
    spectrum,
    voices: Object.fromEntries(byCosine.map(([voice, value]) => [voice, round(value, 3)])),
    worstVoices: byCosine
      .slice(0, 8)
      .map(([voice, value]) => `${voice} ${round(value, 3)}`)
      .join(", "),
    worstMel: worst((one) => one.mel),
    worstPitch: worst((one) => -one.pitch.withoutJumps),
    recognitionErrors: comparisons.flatMap(({ item, recognized }) =>
      recognizers.flatMap((recognizer) => {
        const [teacher, student] = [recognized.teacher[recognizer], recognized.student[recognizer]];
        if (!teacher || !student || student.errors <= teacher.errors) return [];
        return [`${item.voice}, ${recognizer}: "${item.text}" → "${student.text}"`];
      }),
    ),
  };
}
