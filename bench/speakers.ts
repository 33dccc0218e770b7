/**
 * The accuracy of speaker diarization:
 *
 *     npm run bench -- speakers --recordings DIR [--people N] [--seconds N] [--dialogues N] [--seed N]
 *
 * DIR holds a folder of recordings for each person. Dialogues are made of them: one, two and three people, with pauses and
 * short overlaps. The first recording of each person is not used in dialogues; it serves to recognize them by name.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createTranscription, type Transcription } from "@parlance/speech";
import { decodeAudio } from "../packages/speech/src/testing/decode-audio.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { wavFile } from "../packages/speech/src/testing/wav-file.ts";
import { measureProcesses } from "./process-usage.ts";
import { DIALOGUE_RATE, type Dialogue, makeDialogue, type Reader } from "./speakers/dialogues.ts";
import { type Score, scoreSpeakers } from "./speakers/score.ts";
import { round } from "./statistics.ts";

interface Person extends Reader {
  /** A recording that dialogues do not use. */
  readonly reference: string;
}

interface Measured extends Score {
  readonly people: number;
  readonly found: number;
  /** People who were named, of those who were named correctly. */
  readonly named: number;
  readonly namedRight: number;
}

const never = new AbortController().signal;

export async function benchSpeakers(words: readonly string[]): Promise<unknown> {
  const text = { type: "string" } as const;
  const options = { recordings: text, seconds: text, dialogues: text, people: text, seed: text };
  const { values } = parseArgs({ args: [...words], options });
  if (values.recordings === undefined) throw new Error("name a folder with --recordings");
  const people = peopleIn(values.recordings);
  const models = await testModels("xvector", "silero-vad", "moonshine-base");
  const transcription = await createTranscription({ models, maxSeconds: 3600 });
  const folder = mkdtempSync(join(tmpdir(), "parlance-bench-"));
  const figures = [];
  // Of each number of people.
  const limit = Number(values.dialogues ?? Number.POSITIVE_INFINITY);
  try {
    for (const count of values.people === undefined ? [1, 2, 3] : [Number(values.people)]) {
      const usage = measureProcesses(process.pid);
      const [found, given]: [Measured[], Measured[]] = [[], []];
      let audioSeconds = 0;
      for (const [index, group] of groupsOf(people, count).slice(0, limit).entries()) {
        const seed = Number(values.seed ?? 1) + 100 * count + index;
        const dialogue = makeDialogue(group, Number(values.seconds ?? 60), seed);
        const path = join(folder, "dialogue.wav");
        writeFileSync(path, wavFile([dialogue.samples], { sampleRate: DIALOGUE_RATE }));
        audioSeconds += (2 * dialogue.samples.length) / DIALOGUE_RATE;
        found.push(await measure(transcription, path, dialogue, undefined, people));
        given.push(await measure(transcription, path, dialogue, group.length, people));
      }
      const { cpuSeconds } = usage.end();
      figures.push({
        people: count,
        dialogues: found.length,
        "wrong %, number found": share(found, "wrong"),
        "wrong %, number given": share(given, "wrong"),
        "worst %": round(Math.max(...found.map(({ wrong, speech }) => (100 * wrong) / speech)), 1),
        "no word %": share(found, "missed"),
        "number right %": round((100 * found.filter((each) => each.found === each.people).length) / found.length),
        "named %": round((100 * sum(given, "named")) / sum(given, "people")),
        "names right %": round((100 * sum(given, "namedRight")) / Math.max(1, sum(given, "named"))),
        "CPU of a core": round(cpuSeconds / audioSeconds, 2),
      });
    }
    console.table(figures);
    return figures;
  } finally {
    await transcription.close();
    rmSync(folder, { recursive: true });
  }
}

async function measure(
  transcription: Transcription,
  path: string,
  { speech }: Dialogue,
  count: number | undefined,
  people: readonly Person[],
): Promise<Measured> {
  const known = people.map(({ name, reference }) => ({ name, voice: reference }));
  const request = { path, granularity: "word", language: "en", speakers: { count, known } } as const;
  const { segments, speakers = [] } = await transcription.transcribe(request, never);
  const found = segments.map(({ speaker = 0, start, end }) => ({ speaker, from: start, to: end }));
  const named = speakers.flatMap(({ name }) => name ?? []);
  return {
    // Pauses between the words of one person are that person's.
    ...scoreSpeakers(speech, withoutGaps(found)),
    people: new Set(speech.map(({ speaker }) => speaker)).size,
    found: speakers.length,
    named: named.length,
    namedRight: named.filter((name) => speech.some(({ speaker }) => speaker === name)).length,
  };
}

function withoutGaps<T extends { readonly speaker: number; readonly from: number; readonly to: number }>(
  found: readonly T[],
): T[] {
  return found.map((word, index) => {
    const next = found[index + 1];
    return next?.speaker === word.speaker && next.from - word.to < 1 ? { ...word, to: next.from } : word;
  });
}

function peopleIn(folder: string): Person[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const [reference = "", ...rest] = readdirSync(join(folder, name))
        .filter((file) => /\.(wav|flac|mp3|ogg|opus|m4a)$/i.test(file))
        .sort()
        .map((file) => join(folder, name, file));
      const recordings = rest.map((path) => decodeAudio(readFileSync(path)));
      const wrong = recordings.find(({ sampleRate }) => sampleRate !== DIALOGUE_RATE);
      if (wrong) throw new Error(`recordings of ${name} have ${wrong.sampleRate} Hz instead of ${DIALOGUE_RATE}`);
      return { name, reference, recordings: recordings.map(({ samples }) => samples) };
    });
}

/** Every group of this many people. */
function groupsOf<T>(people: readonly T[], count: number): (readonly T[])[] {
  if (count === 0) return [[]];
  return people.flatMap((first, index) =>
    groupsOf(people.slice(index + 1), count - 1).map((others) => [first, ...others]),
  );
}

function sum(all: readonly Measured[], key: keyof Measured): number {
  return all.reduce((total, each) => total + each[key], 0);
}

function share(all: readonly Measured[], key: "wrong" | "missed"): number {
  return round((100 * sum(all, key)) / sum(all, "speech"), 1);
}
