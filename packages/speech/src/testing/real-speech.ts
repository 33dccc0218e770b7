import { readFileSync } from "node:fs";
import type { ModelStore } from "../models/index.ts";
import { decodeAudio } from "./decode-audio.ts";

/** A real recording with its text, and word times for some. */
export interface RealSpeech {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** The start of each word in seconds, by a forced alignment. */
  readonly words: readonly { readonly text: string; readonly start: number }[];
}

const clips = ["0870", "0880", "0890", "0920", "0930"].map((part) => `sense_and_sensibility_01_austen_64kb-${part}`);
const kennedy =
  "And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.";

/** The recordings of the model "test-speech". */
export function realSpeech(models: ModelStore): RealSpeech[] {
  const file = (name: string) => models.path("test-speech", name);
  const alignments = readFileSync(file("librivox/test-align.matchseg"), "utf8").trim().split("\n");
  return [
    ...clips.map((name) => {
      const path = file(`librivox/${name}.wav`);
      const line = alignments.find((one) => one.startsWith(name)) ?? "";
      return { name, path, text: readFileSync(file(`librivox/${name}.txt`), "utf8"), words: alignedWords(line, path) };
    }),
    { name: "jfk", path: file("jfk.wav"), text: kennedy, words: [] },
  ];
}

const FRAMES_PER_SECOND = 100;
/** What does not fill a frame at the end of a recording. */
const REST_SECONDS = 0.02;

/**
 * "name S … L 0, then frame, score, score, word, … , last frame". The aligner skipped the silence at the start of
 * a recording: the difference between the recording and its frames.
 */
function alignedWords(line: string, path: string): RealSpeech["words"] {
  const fields = line.split(/\s+/);
  const { samples, sampleRate } = decodeAudio(readFileSync(path));
  const aligned = Number(fields.at(-1)) / FRAMES_PER_SECOND;
  const begin = Math.max(0, samples.length / sampleRate - aligned - REST_SECONDS);
  const words: { text: string; start: number }[] = [];
  for (let at = fields.indexOf("L") + 2; at + 3 < fields.length; at += 4) {
    const text = fields[at + 3] ?? "";
    if (!text.startsWith("<")) words.push({ text, start: begin + Number(fields[at]) / FRAMES_PER_SECOND });
  }
  return words;
}

/** The errors of the start times, in seconds, of the words that were recognized correctly. */
export function startErrors(
  recognized: readonly { readonly text: string; readonly start: number }[],
  truth: RealSpeech["words"],
): number[] {
  const errors: number[] = [];
  let next = 0;
  for (const word of recognized) {
    // "ill-disposed" is two words there, and begins with the first.
    const plain = (word.text.toLowerCase().match(/[a-z]+/)?.[0] ?? "").replace(/^mr$/, "mister");
    const found = truth.findIndex((one, index) => index >= next && index < next + 3 && one.text === plain);
    if (found < 0) continue;
    errors.push(word.start - (truth[found]?.start ?? 0));
    next = found + 1;
  }
  return errors;
}
