import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ModelStore } from "@parlance/speech";
import { realSpeech } from "../../packages/speech/src/testing/real-speech.ts";

/** Recordings of one person: some to make a voice from, and others to evaluate it. */
export interface BenchSpeaker {
  readonly name: string;
  readonly reference: readonly string[];
  readonly held: readonly string[];
}

/** How many recordings a voice is made from. */
const REFERENCES = 3;

/** A folder of folders, one for each person, with recordings in any format: the first few are the reference. */
export function speakersIn(folder: string): readonly BenchSpeaker[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => speakerOf(name, filesIn(join(folder, name))))
    .filter(({ held }) => held.length > 0);
}

/** A folder of `PERSON-1.wav`, `PERSON-2.wav` and so on: the first half of each person's files is the reference. */
export function peopleIn(folder: string): readonly BenchSpeaker[] {
  const people = new Map<string, string[]>();
  for (const file of filesIn(folder)) {
    const name = file.slice(folder.length).replace(/^\/|-\d+\.\w+$/g, "");
    people.set(name, [...(people.get(name) ?? []), file]);
  }
  return [...people]
    .map(([name, files]) => speakerOf(name, files, Math.ceil(files.length / 2)))
    .filter(({ held }) => held.length > 0);
}

/** Some of a list, evenly spaced over it. */
export function evenlySpaced<T>(all: readonly T[], count: number): readonly T[] {
  const placeOf = (index: number) => Math.floor((index * count) / all.length);
  return count >= all.length ? all : all.filter((_, index) => placeOf(index) !== placeOf(index - 1));
}

/** The reader of the clips that the tests use. */
export function testSpeaker(models: ModelStore): BenchSpeaker {
  const clips = realSpeech(models).filter(({ name }) => name !== "jfk");
  return speakerOf(
    "librivox",
    clips.map(({ path }) => path),
  );
}

function speakerOf(name: string, files: readonly string[], references = REFERENCES): BenchSpeaker {
  return { name, reference: files.slice(0, references), held: files.slice(references) };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /\.(wav|flac|mp3|ogg|opus|m4a)$/i.test(name))
    .sort()
    .map((name) => join(folder, name));
}
