/**
 * How similar cloned voices are to their speakers:
 *
 *     npm run bench -- clone [--recordings DIR] [--synthetic N]
 *
 * DIR holds a folder of recordings for each person. Without it, the one reader of the test clips and synthetic voices
 * (mixes of the engine's speakers) are used. Cosines are of x-vectors, between all sentences of a clone and all recordings of
 * its speaker that it was not made from.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  type CustomVoice,
  createCloning,
  createSpeech,
  createTranscription,
  createTrialSpeech,
  type Speech,
} from "@parlance/speech";
import { parseGraph } from "../packages/speech/src/engines/onnx/graph.ts";
import { cloningEngine } from "../packages/speech/src/engines/registry.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { nearestSpeakers, readStockSpeakers } from "../packages/speech/src/voices/clone/stock-speakers.ts";
import { cosine } from "../packages/speech/src/voices/clone/xvector/xvector.ts";
import { sentences } from "../tests/sentences.ts";
import { type JudgeParts, speakAndEvaluate, speakerOfRecordings, spoken } from "./clone/judge.ts";
import { type BenchSpeaker, speakersIn, testSpeaker } from "./clone/speakers.ts";
import { round } from "./statistics.ts";

const never = new AbortController().signal;
const WAYS = ["nearest stock", "at once", "refined"] as const;
type Way = (typeof WAYS)[number];

interface Made {
  readonly speaker: string;
  readonly realToReal: number;
  readonly seconds: Readonly<Record<Way, number>>;
  readonly ways: Readonly<Record<Way, Awaited<ReturnType<typeof speakAndEvaluate>>>>;
  readonly held: Float32Array;
}

export async function benchClone(words: readonly string[]): Promise<unknown> {
  const options = { recordings: { type: "string" }, synthetic: { type: "string" } } as const;
  const { values } = parseArgs({ args: [...words], options });
  const models = await testModels("piper-libritts", "xvector", "silero-vad", "moonshine-base", "test-speech");
  const speech = await createSpeech({ models, engines: [cloningEngine.name] });
  const transcription = await createTranscription({ models, minSeconds: 0.5, maxSeconds: 600 });
  const cloning = await createCloning({
    models,
    minSeconds: 0.5,
    maxSeconds: 120,
    trialSpeech: createTrialSpeech(speech),
  });
  const folder = mkdtempSync(join(tmpdir(), "parlance-bench-"));
  try {
    const parts = { speech, transcription, cloning };
    const synthetic = Number(values.synthetic ?? (values.recordings === undefined ? 2 : 0));
    const table = parseGraph(await readFile(models.path("piper-libritts", "model.onnx"))).weights("emb_g.weight");
    const speakers = [
      ...(values.recordings === undefined ? [testSpeaker(models)] : speakersIn(values.recordings)),
      ...(await mixedSpeakers(speech, table, synthetic, folder)),
    ];
    const made: Made[] = [];
    for (const speaker of speakers) {
      made.push(await cloneAndEvaluate(speaker, parts));
      console.table(made.slice(-1).flatMap((each) => rowsOf(each, made)));
    }
    const rows = made.flatMap((each) => rowsOf(each, made));
    console.log("\nall together");
    const summary = WAYS.map((way) => summaryOf(way, rows, made));
    console.table(summary);
    return { rows, summary };
  } finally {
    await Promise.all([speech.close(), transcription.close(), cloning.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function cloneAndEvaluate(speaker: BenchSpeaker, parts: JudgeParts): Promise<Made> {
  const startedAt = performance.now();
  const clone = await parts.cloning.create({ recordings: speaker.reference, enhance: false, keepSpeech: true }, never);
  const createdAt = performance.now();
  const recordings = clone.recordings.map(({ vector, pitch, speechSeconds }) => ({
    vector,
    pitch,
    weight: speechSeconds,
  }));
  const refined = await parts.cloning.refine({ recordings, embedding: clone.embedding }, never);
  const refinedAt = performance.now();
  const reference = await speakerOfRecordings(parts.cloning, speaker.reference);
  const [nearest] = nearestSpeakers(await readStockSpeakers(), reference, 1);
  const evaluate = (embedding: CustomVoice["embedding"]) => speakAndEvaluate(parts, { embedding, pace: 1 });
  const { vector: held } = await speakerOfRecordings(parts.cloning, speaker.held);
  return {
    speaker: speaker.name,
    realToReal: cosine(reference.vector, held),
    seconds: {
      "nearest stock": 0,
      "at once": (createdAt - startedAt) / 1000,
      refined: (refinedAt - createdAt) / 1000,
    },
    held,
    ways: {
      "nearest stock": await evaluate(nearest?.name ?? "0"),
      "at once": await evaluate(clone.closerSpeaker ?? clone.embedding),
      refined: await evaluate(refined.embedding),
    },
  };
}

function rowsOf(made: Made, all: readonly Made[]) {
  return WAYS.map((way) => {
    const { vector, pitch, errors, words } = made.ways[way];
    const own = cosine(vector, made.held);
    return {
      speaker: made.speaker,
      way,
      cosine: round(own, 3),
      rank: 1 + all.filter((other) => other !== made && cosine(vector, other.held) > own).length,
      "real to real": round(made.realToReal, 3),
      "word errors %": round((100 * errors) / words, 1),
      "pitch Hz": round(pitch ?? 0),
      seconds: round(made.seconds[way], 1),
    };
  });
}

function summaryOf(way: Way, rows: readonly ReturnType<typeof rowsOf>[number][], all: readonly Made[]) {
  const own = rows.filter((row) => row.way === way);
  const cosines = own.map((row) => row.cosine);
  const errors = all.reduce((sum, { ways }) => sum + ways[way].errors, 0);
  const words = all.reduce((sum, { ways }) => sum + ways[way].words, 0);
  return {
    way,
    "mean cosine": round(cosines.reduce((sum, value) => sum + value, 0) / cosines.length, 3),
    worst: Math.min(...cosines),
    "rank 1": `${own.filter((row) => row.rank === 1).length} of ${own.length}`,
    "word errors %": round((100 * errors) / words, 1),
  };
}

/** Synthetic voices: mixes of three of the engine's speakers, with recordings that they speak. */
async function mixedSpeakers(
  speech: Speech,
  table: Float32Array,
  count: number,
  folder: string,
): Promise<readonly BenchSpeaker[]> {
  const speakers: BenchSpeaker[] = [];
  for (let number = 0; number < count; number++) {
    const rows = [17, 401, 733].map((row) => (row + 97 * number) % 904);
    const embedding = Float32Array.from({ length: cloningEngine.cloning.embeddingSize }, (_, i) =>
      rows.reduce(
        (sum, row, place) =>
          sum + (table[row * cloningEngine.cloning.embeddingSize + i] ?? 0) * ([0.5, 0.3, 0.2][place] ?? 0),
        0,
      ),
    );
    const files: string[] = [];
    for (const [index, text] of sentences.slice(20, 26).entries()) {
      const file = join(folder, `${number}-${index}.wav`);
      writeFileSync(file, await spoken(speech, text, { embedding, pace: 1 }));
      files.push(file);
    }
    speakers.push({ name: `mix ${number + 1}`, reference: files.slice(0, 3), held: files.slice(3) });
  }
  return speakers;
}
