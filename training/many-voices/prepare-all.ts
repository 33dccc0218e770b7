/**
 * Prepares the training with many voices on a machine that has nothing but the repository, Node and Debian's python3-torch,
 * python3-onnx and python3-scipy: downloads, prepares and packs everything.
 *
 *     node --conditions=source --import tsx training/many-voices/prepare-all.ts READERS_FOLDER OUT_FOLDER [PACKAGES_FOLDER]
 *
 * READERS_FOLDER holds a folder of recordings for each reader of the evaluation. Writes OUT_FOLDER/data (pack, and the weights in the
 * repository as `earlier`), and the same as parts of 60 MiB, OUT_FOLDER/part-00 and so on: `cat part-* | tar x` unpacks them.
 * What is already there is not made again.
 */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { createDecoder, readSamples } from "../../packages/speech/src/audio/decode/index.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { ANALYSIS_RATE } from "../../packages/speech/src/voices/clone/extract-speech.ts";
import { pcm, wav } from "../voice-encoder/bare-speech.ts";

/** Sentences in all languages. */
const TEXT_PACKAGES = ["gnome-user-docs", "libreoffice-help-hi"];
const READER_FILES = 8;
const PART_SIZE = "60M";

const [readersIn, outIn, packagesIn] = process.argv.slice(2);
if (!readersIn || !outIn) throw new Error("usage: prepare-all.ts READERS_FOLDER OUT_FOLDER [PACKAGES_FOLDER]");
const root = resolve(import.meta.dirname, "../..");
const out = resolve(outIn);
const packages = resolve(packagesIn ?? join(out, "packages"));
const readers = resolve(readersIn);
mkdirSync(packages, { recursive: true });
const models = await testModels("kokoro-q8", "kokoro-fp32", "piper-libritts", "silero-vad", "whisper-base", "xvector");

const run = promisify(execFile);
const script = async (file: string, ...words: string[]) => {
  const { stdout } = await run(
    "node",
    ["--conditions=source", "--import", "tsx", join(root, "training", file), ...words],
    {
      cwd: root,
      maxBuffer: 2 ** 26,
    },
  );
  console.log(stdout.trim());
};
const python = (file: string, ...words: string[]) =>
  execFileSync("/usr/bin/python3", [join(root, "training", file), ...words], {
    cwd: join(root, "training/many-voices"),
    stdio: "inherit",
  });

/** Makes `target` unless it exists; an interrupted run leaves none. */
async function once(target: string, make: (unfinished: string) => Promise<void> | void): Promise<void> {
  if (existsSync(target)) return;
  const unfinished = `${target}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  await make(unfinished);
  renameSync(unfinished, target);
}

async function prepareTexts(): Promise<void> {
  for (const name of TEXT_PACKAGES) {
    if (existsSync(join(out, "texts", `${name}.deb`))) continue;
    mkdirSync(join(out, "texts"), { recursive: true });
    execFileSync("apt-get", ["download", name], { cwd: join(out, "texts"), stdio: "ignore" });
    const file = readdirSync(join(out, "texts")).find((entry) => entry.startsWith(`${name}_`));
    if (!file) throw new Error(`apt-get did not fetch ${name}`);
    execFileSync("dpkg-deb", ["-x", file, "."], { cwd: join(out, "texts") });
    renameSync(join(out, "texts", file), join(out, "texts", `${name}.deb`));
  }
  await once(join(out, "prepared"), (target) => script("many-voices/prepare.ts", join(out, "texts/usr/share"), target));
}

async function prepareReaders(target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  const decoder = createDecoder({ processes: 1 });
  const samplesFile = join(out, "samples");
  const entries = readdirSync(readers, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of entries) {
    for (const [i, file] of readdirSync(join(readers, name)).sort().slice(0, READER_FILES).entries()) {
      const path = join(readers, name, file);
      const options = { sampleRate: ANALYSIS_RATE, maxSeconds: 600 };
      const { samples } = await decoder.decode(path, samplesFile, options, new AbortController().signal);
      const audio = pcm(await readSamples(samplesFile, 0, samples));
      writeFileSync(join(target, `${name}-${i + 1}.wav`), wav(audio, { format: 1, rate: ANALYSIS_RATE, bits: 16 }));
    }
  }
  await decoder.close();
  rmSync(samplesFile, { force: true });
}

await Promise.all([
  once(join(out, "recorded"), (target) => script("voice-encoder/people.ts", target, packages)),
  prepareTexts(),
  once(join(out, "readers"), prepareReaders),
]);

const data = join(out, "data");
await once(join(data, "pack"), (target) => {
  const recorded = ["people", "training-people"].map((name) => join(out, "recorded", name));
  const kokoro = [models.path("kokoro-fp32", "model.onnx"), models.path("kokoro-q8", "model.onnx")];
  const voices = join(models.path("kokoro-q8", "model.onnx"), "../voices");
  const speaker = join(models.path("xvector", "mean.vec"), "..");
  const whisper = models.path("whisper-base", "onnx/encoder_model_quantized.onnx");
  const folders = [...recorded, join(out, "readers")];
  python("many-voices/pack_all.py", join(out, "prepared"), ...kokoro, voices, speaker, whisper, target, ...folders);
});
await once(join(data, "earlier"), (target) => {
  mkdirSync(target, { recursive: true });
  const assets = join(root, "packages/speech/assets");
  python("kokoro-student/import_onnx.py", join(assets, "kokoro-student/student.onnx"), join(target, "student.pt"));
  python("many-voices/import_encoder.py", join(assets, "voice-encoder"), target);
  const network = join(assets, "voice-encoder/speaker-network.onnx");
  python("many-voices/import_network.py", network, join(target, "plane.pt"));
  python("many-voices/import_network.py", join(root, "bench/clone/speaker-network.onnx"), join(target, "judge.pt"));
});
for (const part of readdirSync(out).filter((name) => name.startsWith("part-"))) rmSync(join(out, part));
execFileSync("bash", ["-c", `tar c ${basename(data)} | split -d -b ${PART_SIZE} - part-`], { cwd: out });
execFileSync("ls", ["-l", ...readdirSync(out).filter((name) => name.startsWith("part-"))], {
  cwd: out,
  stdio: "inherit",
});
process.exit(0);
