/**
 * How similar cloned voices are to their speakers, and their word error rates:
 *
 *     npm run bench -- clone [--recordings DIR] [--people DIR] [--limit N] [--refined]
 *
 * `--help` lists all options. Writes bench/results/clone/index.html with the audio. Cosines are between all sentences of a
 * clone and all recordings of its speaker that it was not made from, by x-vectors and by an evaluation network
 * (training/many-voices/speaker_network.py), which is not part of the training of voices and hears no
 * pauses; ranges are those of the pitch between its quartiles, in octaves. Words are recognized by Moonshine in English and by Whisper base in other languages, with
 * `--second-recognizer` also by Whisper small; in Hindi, Japanese and Chinese characters are counted. The stock voice that gives the
 * prosody speaks the same sentences. Fails where clones are more than 1.5 points above stock voices.
 *
 * With `--refined`, each voice is also refined, once and before it speaks, and the refined voice is measured beside the voice at
 * once. A voice whose refinement is not kept stays as it is, and counts so.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
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
import { loadSilero } from "../packages/speech/src/engines/silero/silero.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { loadSpeakerNetwork } from "../packages/speech/src/voices/clone/speaker-network.ts";
import { type Made, rowsOf, type SpokenLanguages, summaryOf } from "./clone/figures.ts";
import { type MeasuringParts, measureSpeaker, type SpokenVoice, speakAndMeasure } from "./clone/measure-voice.ts";
import { type CloneOptions, readOptions, USAGE } from "./clone/options.ts";
import { pageOf } from "./clone/page.ts";
import { pageSpeaker } from "./clone/page-speaker.ts";
import { describeRefinement, refineSpeaker } from "./clone/refine-speaker.ts";
import { loadSecondRecognizer } from "./clone/second-recognizer.ts";
import { type BenchSpeaker, evenlySpaced, peopleIn, speakersIn, testSpeaker } from "./clone/speakers.ts";

const never = new AbortController().signal;
const FOLDER = "bench/results/clone";
/** The maximum difference of the error rates of clones and stock voices, in percentage points. */
const MAX_POINTS = 1.5;

export async function benchClone(words: readonly string[]): Promise<unknown> {
  const options = readOptions(words);
  if (!options) {
    console.log(USAGE);
    process.exit(0);
  }
  const { languages, sentences, limit } = options;
  const recognizers = ["moonshine-base", "whisper-base"];
  const larger = options.secondRecognizer ? ["whisper-small"] : [];
  const models = await testModels("kokoro-q8", "xvector", "silero-vad", ...recognizers, ...larger, "test-speech");
  const speech = await createSpeech({ models, engines: [cloningEngine.name] });
  const transcription = await createTranscription({ models, minSeconds: 0.5, maxSeconds: 600 });
  const cloning = await createCloning({ models, minSeconds: 0.5, maxSeconds: 120 });
  const secondRecognizer = larger.length === 0 ? undefined : await loadSecondRecognizer(models);
  rmSync(FOLDER, { recursive: true, force: true });
  try {
    const second = await loadSpeakerNetwork("bench/clone/speaker-network.onnx");
    const detector = await loadSilero(models.path("silero-vad", "model.onnx"));
    const parts = { speech, transcription, cloning, second, detector, secondRecognizer, sentences };
    const given = [
      ...(options.recordings === undefined ? [] : speakersIn(options.recordings)),
      ...(options.people === undefined ? [] : peopleIn(options.people)),
    ];
    const stock = createStock(parts);
    const made: Made[] = [];
    const speakers = given.length === 0 ? [testSpeaker(models)] : given;
    for (const speaker of evenlySpaced(speakers, limit ?? speakers.length)) {
      try {
        made.push(await cloneAndMeasure(speaker, options, parts, stock));
      } catch (error) {
        if (!(error instanceof CloneError)) throw error;
        console.log(`${speaker.name} is skipped: recording ${error.recording + 1} ${error.message}`);
        continue;
      }
      for (const row of rowsOf(made.slice(-1), made)) console.log(JSON.stringify(row));
    }
    const rows = rowsOf(made, made);
    const summary = summaryOf(languages, rows);
    console.table(rows);
    console.table(summary);
    writeFileSync(
      join(FOLDER, "index.html"),
      pageOf(
        made.map((one) => pageSpeaker(one, FOLDER)),
        summary,
      ),
    );
    console.log(`audio: ${FOLDER}/index.html`);
    const failed = summary.filter((row) => row["points above stock"] > MAX_POINTS);
    for (const { language, voice } of failed)
      console.log(`${language}: too many words of ${voice === "refined" ? "refined " : ""}clones are misheard`);
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
  { languages, refined: isRefined }: CloneOptions,
  parts: MeasuringParts,
  stockOf: ReturnType<typeof createStock>,
): Promise<Made> {
  const startedAt = performance.now();
  const request = { recordings: speaker.reference, enhance: false, keepSpeech: true };
  const cloned = await parts.cloning.create(request, never);
  const seconds = (performance.now() - startedAt) / 1000;
  const refinement = isRefined ? await refineSpeaker(speaker.name, cloned, parts.cloning) : undefined;
  if (refinement) console.log(`${speaker.name}: ${describeRefinement(refinement)}`);
  const speakAll = async (custom: ClonedSound, id: string): Promise<SpokenLanguages> => {
    const voice: SpeechVoice = { id, engine: cloningEngine.name, custom };
    const spoken = new Map<string, SpokenVoice>();
    for (const language of languages)
      spoken.set(language, await speakAndMeasure(parts, voice, language, join(FOLDER, id)));
    return spoken;
  };
  const clones = await speakAll(cloned.voice, speaker.name);
  const refinedClones = refinement?.voice ? await speakAll(refinement.voice, `${speaker.name}/refined`) : clones;
  const stock = new Map<string, SpokenVoice>();
  for (const language of languages) stock.set(language, await stockOf(cloned.voice, language));
  const [first = ""] = speaker.held;
  const folder = join(FOLDER, speaker.name);
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
    refined: refinement && { refinement, clones: refinedClones },
    stock,
  };
}
