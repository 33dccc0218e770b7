/** Synthesizes sentences with the voices of Flite, which are models of the recordings of people. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

const VOICES = ["awb", "rms", "slt"];
const SENTENCES = [
  "The morning train was late, so we walked along the river and talked about the book.",
  "She put the blue cups on the table and asked whether anyone would like some more tea.",
  "In the north of the country, winters are long, and most of the villages are very quiet.",
  "He has been repairing old clocks for thirty years, and he still enjoys every one of them.",
  "You can find the keys in the upper drawer, next to the letters from your grandmother.",
  "Nobody knew why the lights went out, but the music went on until long after midnight.",
];

/** Writes VOICE/N.wav; `root` is the unpacked package flite, and libflite1 is unpacked beside it. */
export function unpackFlite(root: string, target: string): void {
  const libraries = join(root, "../libflite1/usr/lib");
  const [platform = ""] = readdirSync(libraries);
  const env = { ...process.env, LD_LIBRARY_PATH: join(libraries, platform) };
  for (const voice of VOICES) {
    mkdirSync(join(target, voice), { recursive: true });
    for (const [i, sentence] of SENTENCES.entries()) {
      const file = join(target, voice, `${i + 1}.wav`);
      execFileSync(join(root, "usr/bin/flite"), ["-voice", voice, "-t", sentence, "-o", file], { env });
    }
  }
}
