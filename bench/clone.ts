/**
 * How similar cloned voices are to their speakers, and their word error rates:
 *
 *     npm run bench -- clone [--recordings DIR] [--people DIR] [--second-recognizer] [--languages en,es] [--sentences 12]
 *
 * `--recordings` holds a folder of recordings for each person, `--people` files named `PERSON-1.wav` and so on; without both, the
 * reader of the test clips is used. Writes bench/results/clone/index.html with the audio. Cosines are between all sentences of a
 * clone and all recordings of its speaker that it was not made from, by x-vectors and by a second speaker network
 * (training/many-voices/speaker_network.py), which is not part of the training of voices; ranges are those of the pitch between its
 * quartiles, in octaves. Words are recognized by Moonshine in English and by Whisper base in other languages, with
 * `--second-recognizer` also by Whisper small; in Hindi, Japanese and Chinese characters are counted. The stock voice that gives the
 * prosody speaks the same sentences. Fails where clones are more than 1.5 points above stock voices.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import {
  type ClonedSound,
  CloneError,
  cloningEngine,
  createCloning,
  createSpeech,
  createTranscription,
  type SpeechVoice,
  stockVoices,
} from "@parlance/speech";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { loadSpeakerNetwork } from "../packages/speech/src/voices/clone/speaker-network.ts";
import { cosine } from "../packages/speech/src/voices/clone/xvector/vectors.ts";
import {
  LANGUAGES,
  type MeasuringParts,
  type Misheard,
  measureSpeaker,
  type SpeakerMeasurement,
  type SpokenVoice,
  speakAndMeasure,
  spokenSentences,
} from "./clone/measure-voice.ts";
import { type PageSpeaker, pageOf } from "./clone/page.ts";
import { loadSecondRecognizer } from "./clone/second-recognizer.ts";
import { type BenchSpeaker, peopleIn, speakersIn, testSpeaker } from "./clone/speakers.ts";
import { correlation } from "./kokoro/pitch.ts";
import { round } from "./statistics.ts";

const never = new AbortController().signal;
const FOLDER = "bench/results/clone";
const NAMES = new Intl.DisplayNames("en", { type: "language" });
/** The maximum difference of the error rates of clones and stock voices, in percentage points. */
const MAX_POINTS = 1.5;

interface Made {
  readonly speaker: string;
  readonly original: string;
  readonly reference: SpeakerMeasurement;
  readonly held: SpeakerMeasurement;
  readonly seconds: number;
  /** By language. */
  readonly clones: ReadonlyMap<string, SpokenVoice>;
  /** The stock voice that gives the prosody, by language. */
  readonly stock: ReadonlyMap<string, SpokenVoice>;
}

export async function benchClone(words: readonly string[]): Promise<unknown> {
  const file = { type: "string" } as const;
  const options = {
    ...{ recordings: file, people: file, languages: file, sentences: file },
    "second-recognizer": { type: "boolean", default: false },
  } as const;
  const { values } = parseArgs({ args: [...words], options });
  const languages = values.languages?.split(",") ?? LANGUAGES;
  const recognizers = ["moonshine-base", "whisper-base"];
  const larger = values["second-recognizer"] ? ["whisper-small"] : [];
  const models = await testModels("kokoro-q8", "xvector", "silero-vad", ...recognizers, ...larger, "test-speech");
  const speech = await createSpeech({ models, engines: [cloningEngine.name] });
  const transcription = await createTranscription({ models, minSeconds: 0.5, maxSeconds: 600 });
  const cloning = await createCloning({ models, minSeconds: 0.5, maxSeconds: 120 });
  const secondRecognizer = larger.length === 0 ? undefined : await loadSecondRecognizer(models);
  rmSync(FOLDER, { recursive: true, force: true });
  try {
    const second = await loadSpeakerNetwork("bench/clone/speaker-network.onnx");
    const sentences = Number(values.sentences ?? 12);
    const parts = { speech, transcription, cloning, second, secondRecognizer, sentences };
    const given = [
      ...(values.recordings === undefined ? [] : speakersIn(values.recordings)),
      ...(values.people === undefined ? [] : peopleIn(values.people)),
    ];
    const stock = createStock(parts);
    const made: Made[] = [];
    for (const speaker of given.length === 0 ? [testSpeaker(models)] : given) {
      try {
        made.push(await cloneAndMeasure(speaker, languages, parts, stock));
      } catch (error) {
        if (!(error instanceof CloneError)) throw error;
        console.log(`${speaker.name} is skipped: recording ${error.recording + 1} ${error.message}`);
        continue;
      }
      for (const row of rowsOf(made.slice(-1), made)) console.log(JSON.stringify(row));
    }
    const rows = rowsOf(made, made);
    const summary = languages.map((language) => summaryOf(language, rows));
    console.table(rows);
    console.table(summary);
    writeFileSync(join(FOLDER, "index.html"), pageOf(made.map(pageSpeaker), summary));
    console.log(`audio: ${FOLDER}/index.html`);
    const failed = summary.filter((row) => row["points above stock"] > MAX_POINTS);
    for (const { language } of failed) console.log(`${language}: too many words of clones are misheard`);
    if (failed.length > 0) process.exitCode = 1;
    return { rows, summary };
  } finally {
    await Promise.all([speech.close(), transcription.close(), cloning.close(), secondRecognizer?.close()]);
  }
}

/** Each stock voice speaks once in each language. */
function createStock(parts: MeasuringParts) {
  const known = new Map<string, Promise<SpokenVoice>>();
  return ({ prosody }: ClonedSound, language: string): Promise<SpokenVoice> => {
    const voice = stockVoices.find(({ slug }) => slug === prosody);
    if (!voice) throw new Error(`${prosody} is no stock voice`);
    const key = `${prosody} ${language}`;
    const spoken = known.get(key) ?? speakAndMeasure(parts, voice, language, join(FOLDER, prosody));
    known.set(key, spoken);
    return spoken;
  };
}

async function cloneAndMeasure(
  speaker: BenchSpeaker,
  languages: readonly string[],
  parts: MeasuringParts,
  stockOf: ReturnType<typeof createStock>,
): Promise<Made> {
  const startedAt = performance.now();
  const request = { recordings: speaker.reference, enhance: false, keepSpeech: true };
  const { voice: custom } = await parts.cloning.create(request, never);
  const seconds = (performance.now() - startedAt) / 1000;
  const voice: SpeechVoice = { id: speaker.name, engine: cloningEngine.name, custom };
  const folder = join(FOLDER, speaker.name);
  const clones = new Map<string, SpokenVoice>();
  const stock = new Map<string, SpokenVoice>();
  for (const language of languages) {
    clones.set(language, await speakAndMeasure(parts, voice, language, folder));
    stock.set(language, await stockOf(custom, language));
  }
  const [first = ""] = speaker.held;
  const original = join(folder, `original${extname(first)}`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(first, original);
  return {
    speaker: speaker.name,
    original,
    reference: await measureSpeaker(parts, speaker.reference),
    held: await measureSpeaker(parts, speaker.held),
    seconds,
    clones,
    stock,
  };
}

/** By the second speaker network. */
const secondOf = (a: SpeakerMeasurement, b: SpeakerMeasurement): number => round(cosine(a.second, b.second), 3);
const percent = (misheard: Misheard | undefined): number | undefined =>
  misheard && round((100 * misheard.errors) / Math.max(1, misheard.total), 1);

/** 1 where no other speaker's recordings are more similar to a voice than those of its own speaker. */
function rankOf(voice: SpeakerMeasurement, made: Made, all: readonly Made[], by: "vector" | "second"): number {
  const own = cosine(voice[by], made.held[by]);
  return 1 + all.filter(({ held }) => cosine(voice[by], held[by]) > own).length;
}

function rowsOf(some: readonly Made[], all: readonly Made[]) {
  return some.flatMap((made) =>
    [...made.clones].map(([language, clone]) => {
      const own = cosine(clone.vector, made.held.vector);
      const stock = made.stock.get(language);
      return {
        speaker: made.speaker,
        language,
        cosine: round(own, 3),
        second: secondOf(clone, made.held),
        rank: rankOf(clone, made, all, "vector"),
        "rank, second": rankOf(clone, made, all, "second"),
        "real to real": round(cosine(made.reference.vector, made.held.vector), 3),
        "real rank": rankOf(made.reference, made, all, "vector"),
        "real, second": secondOf(made.reference, made.held),
        "real rank, second": rankOf(made.reference, made, all, "second"),
        stock: stock && round(cosine(stock.vector, made.held.vector), 3),
        "misheard %": percent(clone.misheard) ?? 0,
        "of stock %": percent(stock?.misheard) ?? 0,
        "by second %": percent(clone.misheardBySecond),
        "of stock, by second %": percent(stock?.misheardBySecond),
        octaves: round(Math.log2((clone.pitch ?? 1) / (made.held.pitch ?? 1)), 2),
        range: round(clone.pitchRange ?? 0, 2),
        "range of speaker": round(made.held.pitchRange ?? 0, 2),
        seconds: round(made.seconds, 1),
      };
    }),
  );
}

function summaryOf(language: string, rows: ReturnType<typeof rowsOf>) {
  const own = rows.filter((row) => row.language === language);
  const mean = (values: readonly number[]): number =>
    round(values.reduce((sum, value) => sum + value, 0) / values.length, 3);
  const bySecond = own.flatMap((row) => row["by second %"] ?? []);
  const ofStockBySecond = own.flatMap((row) => row["of stock, by second %"] ?? []);
  const errors = mean(own.map((row) => row["misheard %"]));
  const ofStock = mean(own.map((row) => row["of stock %"]));
  return {
    language,
    speakers: own.length,
    "mean cosine": mean(own.map((row) => row.cosine)),
    lowest: Math.min(...own.map((row) => row.cosine)),
    "mean, second": mean(own.map((row) => row.second)),
    "rank 1": own.filter((row) => row.rank === 1).length,
    "rank 1, second": own.filter((row) => row["rank, second"] === 1).length,
    "real rank 1": own.filter((row) => row["real rank"] === 1).length,
    "real rank 1, second": own.filter((row) => row["real rank, second"] === 1).length,
    "misheard %": errors,
    most: Math.max(...own.map((row) => row["misheard %"])),
    "of stock %": ofStock,
    "points above stock": round(errors - ofStock, 1),
    ...(own.length < 3
      ? {}
      : {
          "correlation of ranges": round(correlation(own.map((row) => [row.range, row["range of speaker"]])), 2),
        }),
    ...(bySecond.length === 0 ? {} : { "by second %": mean(bySecond), "of stock, by second %": mean(ofStockBySecond) }),
  };
}

function pageSpeaker(made: Made): PageSpeaker {
  const link = (file: string) => relative(FOLDER, file);
  const clones = [...made.clones].map(([language, clone]) => {
    const figures = [
      `x-vector ${round(cosine(clone.vector, made.held.vector), 2)}`,
      `second network ${round(secondOf(clone, made.held), 2)}`,
      `misheard ${percent(clone.misheard)} %`,
    ];
    return {
      title: `clone, ${NAMES.of(language) ?? language}`,
      file: link(clone.files[0] ?? ""),
      text: spokenSentences(language, 1)[0] ?? "",
      figures: figures.join(" · "),
    };
  });
  const original = { title: "original", file: link(made.original), text: "", figures: "" };
  return { name: made.speaker, original, clones };
}
