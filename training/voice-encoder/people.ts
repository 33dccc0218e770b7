/**
 * Collects the voices of real people from Debian packages: for each person up to 4 files PERSON-1.wav … of about 8 seconds
 * (mono, 16 kHz, 16 bit), joined from different recordings, so that no recording is in two of a person's files.
 *
 *     node --conditions=source --import tsx training/voice-encoder/people.ts OUT_FOLDER [PACKAGES_FOLDER]
 *
 * Writes OUT_FOLDER/people, a fifth of which is held out (people.py), and OUT_FOLDER/training-people, which is not.
 * Needs apt-get, dpkg-deb and unzip. Downloaded and unpacked packages are kept in PACKAGES_FOLDER if it is given.
 */
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, setPriority, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createDecoder, readSamples } from "../../packages/speech/src/audio/decode/index.ts";
import { loadSilero } from "../../packages/speech/src/engines/silero/silero.ts";
import { concatSamples } from "../../packages/speech/src/lib/concat.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { ANALYSIS_RATE, extractSpeech, findSpeech } from "../../packages/speech/src/voices/clone/extract-speech.ts";
import { randomNumbers, shuffled } from "../help-sentences.ts";
import { pcm, unpackAsterisk, unpackDrascula, unpackQueen, wav } from "./bare-speech.ts";
import { unpackFlite } from "./flite.ts";
import { unpackSteelSky } from "./steel-sky.ts";

interface Source {
  readonly package: string;
  /** Another package that `unpack` needs. */
  readonly libraries?: string;
  /** Unpacks recordings in a format that the decoder does not support. */
  readonly unpack?: (root: string, target: string) => void;
  readonly file: RegExp;
  /** The name of the speaker, with the groups of `file` as $1 and $2. */
  readonly person: string;
  /** Only speech: recordings that are too short for the voice detector are kept, too. */
  readonly words?: true;
  /** For training only: none of these people is held out. Sources that are added later have it, so that the same people stay held out. */
  readonly training?: true;
}

const SOURCES: readonly Source[] = [
  // GPL-2+
  { package: "ktuberling-data", file: /ktuberling\/sounds\/([\w@]+)\//, person: "ktuberling-$1", words: true },
  // GPL-2+
  { package: "klettres-data", file: /klettres\/(\w+)\/(?:alpha|syllab)\//, person: "klettres-$1", words: true },
  // CC-BY-SA-3.0, all four; the Spanish one names the same speaker as the English one
  { package: "asterisk-core-sounds-en-g722", unpack: unpackAsterisk, file: /unpacked\//, person: "asterisk-allison" },
  { package: "asterisk-core-sounds-fr-g722", unpack: unpackAsterisk, file: /unpacked\//, person: "asterisk-june" },
  { package: "asterisk-core-sounds-it-g722", unpack: unpackAsterisk, file: /unpacked\//, person: "asterisk-carlo" },
  { package: "asterisk-core-sounds-ru-g722", unpack: unpackAsterisk, file: /unpacked\//, person: "asterisk-ru" },
  // GPL, both
  { package: "asterisk-prompt-es-co", unpack: unpackAsterisk, file: /unpacked\//, person: "asterisk-es-co" },
  { package: "asterisk-prompt-fr-armelle", unpack: unpackAsterisk, file: /unpacked\//, person: "asterisk-armelle" },
  // CC-BY-SA-3.0
  { package: "asterisk-prompt-it-menardi-wav", file: /sounds\//, person: "asterisk-menardi" },
  // GPL-2
  { package: "tuxpaint-stamps-default", file: /_desc_(\w+)\.ogg$/, person: "tuxpaint-$1" },
  { package: "tuxpaint-stamps-default", file: /_desc\.ogg$/, person: "tuxpaint-en" },
  { package: "tuxpaint-stamps-default", file: /[a-z0-9]_en_GB\.ogg$/, person: "tuxpaint-en_GB" },
  // GPL-3+; its other languages seem to be synthesized
  { package: "qabcs-data", file: /abcs\/(en|uk)\/sounds\//, person: "qabcs-$1", words: true },
  // GPL-2+; male2 seems to be synthesized in English, the others speak both languages
  { package: "kajongg", file: /voices\/(?:de\/)?(female\d|male1)\//, person: "kajongg-$1", words: true },
  { package: "kajongg", file: /voices\/de\/(male2)\//, person: "kajongg-$1", words: true },
  // GPL-3, CC-BY-3.0
  { package: "gcin-voice", file: /ogg\/[^/]+\/(\d)\.ogg$/, person: "gcin-$1", words: true },
  // GPL-2, both
  { package: "fillets-ng-data-cs", file: /\/cs\/[a-z0-9]+-(m|v|c|pap)-/, person: "fillets-cs-$1" },
  { package: "fillets-ng-data-nl", file: /\/nl\/[a-z0-9]+-(m|v)-/, person: "fillets-nl-$1" },
  // BSD
  { package: "pocketsphinx-testdata", file: /data\/(librivox|cards)\//, person: "pocketsphinx-$1" },
  // GPL-3, like BSD's
  { package: "festvox-ru", file: /wav\/ru_/, person: "festvox-ru" },
  // GPL-2; most of the others are the same few actors, faster
  { package: "hedgewars-data", file: /voices\/(British|Default_es|Pirate|Russian_pl)\//, person: "hedgewars-$1" },
  // GPL-3+
  { package: "planetblupi-common", file: /sound\/(de|he|it)\//, person: "planetblupi-$1" },
  // GPL-2+, CC-BY-SA-3.0
  { package: "unknown-horizons", file: /voice\/(\w\w)\//, person: "unknown-horizons-$1" },
  // GPL-2+
  { package: "boswars-data", file: /units\/\w+\/.*(?:completed|underattack|ready)/, person: "boswars" },
  // GPL-2+
  { package: "freedroidrpg-data", file: /tux_ingame_comments\//, person: "freedroid" },
  // GPL-2+
  {
    package: "warzone2100-data",
    unpack: unzip("usr/share/games/warzone2100/base.wz", "audio/*"),
    file: /audio\/(?:memressp|taunts)?\/?(cmndrvoc|taunt\d|tutorial|vtoltalk)\//,
    person: "warzone-$1",
  },
  // GPL-2+, CC-BY-SA-3.0
  {
    package: "megaglest-data",
    file: /(magic|norsemen|egypt|persian)\/units\/(battlemage|initiate|summoner|swordman|battleaxe|spearman)\/sounds\//,
    person: "megaglest-$1-$2",
  },
  // CC-BY-SA-3.0
  {
    package: "0ad-data",
    unpack: unzip("usr/share/games/0ad/mods/public/public.zip", "audio/voice/*"),
    file: /audio\/voice\/(\w+)\/civ\/civ_((?:fe)?male)/,
    person: "0ad-$1-$2",
  },
  // Own licence: may be redistributed with its notices, not sold on its own. Few actors play many roles: these differ most.
  {
    package: "flight-of-the-amazon-queen",
    unpack: unpackQueen,
    file: /unpacked\/(chef|chief|death|jim|joe|lola|lou|naomi|oracle|tam|witch|zombie)\//,
    person: "queen-$1",
  },
  // Own licence: may be redistributed with its notices, not sold on its own. The voices of two other roles vary too much.
  {
    package: "drascula",
    unpack: unpackDrascula,
    file: /unpacked\/(bj|e|hero|i|l|p|t|vb)\//,
    person: "drascula-$1",
  },
  // Own licence: may be redistributed and changed with its notices, not sold on its own. Few actors play many roles: these differ most.
  {
    package: "beneath-a-steel-sky",
    unpack: unpackSteelSky,
    file: /unpacked\/(hero|1|16441|16601|16737|16822|16823|24767|60400-5[3-8]|60402-25[01357]|60403-30[5678]|60405-38[23])\//,
    person: "steelsky-$1",
    training: true,
  },
  // GPL-2+
  {
    package: "nexuiz-data",
    unpack: unzip("usr/share/games/nexuiz/data/data.pk3", "sound/*"),
    file: /sound\/(?:player\/([a-z]+)(?:-[a-z]+)?\/coms|(tutorial)|(announcer)\/male)\//,
    person: "nexuiz-$1$2$3",
    training: true,
  },
  // BSD. Synthesized with models of the recordings of people.
  {
    package: "flite",
    libraries: "libflite1",
    unpack: unpackFlite,
    file: /unpacked\/(\w+)\//,
    person: "flite-$1",
    training: true,
  },
];

const run = promisify(execFile);
const PCM = { format: 1, rate: ANALYSIS_RATE, bits: 16 };
const DECODERS = availableParallelism();
const FILES = 4;
const FILE_SECONDS = 8;
/** The preferred minimum length; two files are made in any case if they can have the minimum length. */
const PREFERRED_FILE_SECONDS = 7;
const MIN_FILE_SECONDS = 4;
const AUDIO = /\.(?:ogg|oga|wav|mp3|flac|opus|au|aifc)$/;

function unzip(file: string, members: string): (root: string, target: string) => void {
  return (root, target) => execFileSync("unzip", ["-q", join(root, file), members, "-d", target]);
}

/** Downloads and unpacks a package, unless it is there. */
async function fetchPackage(folder: string, name: string): Promise<void> {
  const target = join(folder, name);
  if (existsSync(target)) return;
  await run("apt-get", ["download", name], { cwd: folder });
  const file = readdirSync(folder).find((entry) => entry.startsWith(`${name}_`) && entry.endsWith(".deb"));
  if (!file) throw new Error(`apt-get did not fetch ${name}`);
  await run("dpkg-deb", ["-x", join(folder, file), `${target}.part`]);
  // An interrupted run leaves no incomplete folder.
  renameSync(`${target}.part`, target);
  rmSync(join(folder, file));
}

/** Several at once: most of the time is spent decompressing. */
async function fetchPackages(folder: string): Promise<void> {
  const names = [...new Set(SOURCES.flatMap((source) => [source.package, source.libraries ?? source.package]))];
  const worker = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) await fetchPackage(folder, name);
  };
  await Promise.all(Array.from({ length: DECODERS }, worker));
}

function unpacked(folder: string, { package: name, unpack }: Source): string {
  const target = join(folder, name);
  const more = join(target, "unpacked");
  if (unpack && !existsSync(more)) unpack(target, more);
  return target;
}

/** The recordings of each person, named FOLDER/PERSON. */
function recordingsIn(folder: string): Map<string, string[]> {
  const people = new Map<string, string[]>();
  for (const source of SOURCES) {
    const root = unpacked(folder, source);
    const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => AUDIO.test(path));
    for (const path of paths.sort()) {
      const match = source.file.exec(path);
      if (!match) continue;
      const name = source.person.replace(/\$(\d)/g, (_, group) => match[Number(group)] ?? "").replace(/[^\w-]/g, "_");
      const person = join(source.training ? "training-people" : "people", name);
      people.set(person, [...(people.get(person) ?? []), join(root, path)]);
    }
  }
  return people;
}

/** Removes the silence before and after; empty if all is silent. */
function trimmed(samples: Float32Array): Float32Array {
  const peak = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
  if (peak < 0.01) return new Float32Array();
  const loud = (sample: number) => Math.abs(sample) > peak / 30;
  return samples.subarray(samples.findIndex(loud), samples.findLastIndex(loud) + 1);
}

const [out, kept] = process.argv.slice(2);
if (!out) throw new Error("usage: people.ts OUT_FOLDER [PACKAGES_FOLDER]");
setPriority(19);
for (const folder of ["people", "training-people"]) mkdirSync(join(out, folder), { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "people-"));
const packages = kept ? resolve(kept) : scratch;
mkdirSync(packages, { recursive: true });
const models = await testModels("silero-vad");
const silero = await loadSilero(models.path("silero-vad", "model.onnx"));
const decoder = createDecoder({ processes: DECODERS });
const never = new AbortController().signal;
const wordsOnly = SOURCES.filter(({ words }) => words).map((source) => join(packages, source.package, "/"));

async function speechIn(path: string): Promise<Float32Array> {
  const target = join(scratch, createHash("sha256").update(path).digest("hex"));
  try {
    const decoded = await decoder.decode(path, target, { sampleRate: ANALYSIS_RATE, maxSeconds: 600 }, never);
    const samples = await readSamples(target, 0, Math.min(decoded.samples, 30 * ANALYSIS_RATE));
    const speech = extractSpeech(samples, await findSpeech(samples, silero, never), FILE_SECONDS);
    if (speech.length > 0 || samples.length > 3 * ANALYSIS_RATE) return speech;
    return wordsOnly.some((folder) => path.startsWith(folder)) ? trimmed(samples) : speech;
  } catch {
    // Some files are empty or not audio: they are skipped.
    return new Float32Array();
  } finally {
    rmSync(target, { force: true });
  }
}

/** The speech of each recording, in order; several are decoded at once. */
async function* speechOf(recordings: readonly string[]): AsyncGenerator<readonly [string, Float32Array]> {
  for (let at = 0; at < recordings.length; at += DECODERS) {
    const batch = recordings.slice(at, at + DECODERS);
    const speech = await Promise.all(batch.map(speechIn));
    for (const [i, path] of batch.entries()) yield [path, speech[i] ?? new Float32Array()];
  }
}

const seen = new Set<string>();
await fetchPackages(packages);
for (const [person, recordings] of recordingsIn(packages)) {
  const pieces: Float32Array[] = [];
  let total = 0;
  for await (const [recording, speech] of speechOf(shuffled(recordings, randomNumbers(1)))) {
    if (total >= (FILES * FILE_SECONDS + 2) * ANALYSIS_RATE) break;
    // The same recording exists under several names.
    const content = createHash("sha256").update(readFileSync(recording)).digest("hex");
    if (seen.has(content)) continue;
    seen.add(content);
    if (speech.length === 0) continue;
    pieces.push(speech);
    total += speech.length;
  }
  const desired = Math.max(2, Math.min(FILES, Math.floor(total / (PREFERRED_FILE_SECONDS * ANALYSIS_RATE))));
  const count = Math.min(desired, pieces.length);
  const files = Array.from({ length: count }, () => ({ pieces: [] as Float32Array[], length: 0 }));
  // The longest first, each to the shortest file, so that the files have similar lengths.
  for (const piece of pieces.sort((a, b) => b.length - a.length)) {
    const shortest = files.reduce(
      (shortest, file) => (file.length < shortest.length ? file : shortest),
      files[0] ?? { pieces: [], length: 0 },
    );
    shortest.pieces.push(piece);
    shortest.length += piece.length;
  }
  const full = files.filter(({ length }) => length >= MIN_FILE_SECONDS * ANALYSIS_RATE);
  for (const [i, file] of full.length >= 2 ? full.entries() : []) {
    writeFileSync(join(out, `${person}-${i + 1}.wav`), wav(pcm(concatSamples(file.pieces)), PCM));
  }
  console.log(
    `${person}: ${recordings.length} recordings, ${(total / ANALYSIS_RATE).toFixed(1)} s of speech, ${full.length} files`,
  );
}
await decoder.close();
rmSync(scratch, { recursive: true });
process.exit(0);
