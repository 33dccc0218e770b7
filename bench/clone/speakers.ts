import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ModelStore } from "@parlance/speech";

/** Recordings of one person: some to make a voice from, and others to judge it by. */
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

/** The reader of the clips that the tests use. */
export function testSpeaker(models: ModelStore): BenchSpeaker {
  const clip = (number: string) =>
    models.path("test-speech", `librivox/sense_and_sensibility_01_austen_64kb-${number}.wav`);
  return speakerOf("librivox", ["0870", "0890", "0920", "0930", "0880"].map(clip));
}

function speakerOf(name: string, files: readonly string[]): BenchSpeaker {
  return { name, reference: files.slice(0, REFERENCES), held: files.slice(REFERENCES) };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /\.(wav|flac|mp3|ogg|opus|m4a)$/i.test(name))
    .sort()
    .map((name) => join(folder, name));
}
