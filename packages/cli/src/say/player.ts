import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that plays raw speech from its standard input, or a file. */
export interface Player {
  readonly name: string;
  readonly command: string;
  readonly input: "stdin" | "file";
  args(file: string): readonly string[];
}

/** What is piped to players: 16-bit mono, a rate that every sound card knows. */
export const playerSampleRate = 44_100;
const rate = String(playerSampleRate);

interface KnownPlayer {
  readonly name: string;
  readonly input: Player["input"];
  readonly args: readonly string[];
  /** So that it plays what little it has, instead of waiting for a buffer full: in live speech more may be long in coming. */
  readonly prompt?: readonly string[];
}

const players: readonly KnownPlayer[] = [
  { name: "pw-cat", input: "stdin", args: ["-p", "--rate", rate, "--channels", "1", "--format", "s16", "-"] },
  {
    name: "pacat",
    input: "stdin",
    args: ["-p", "--raw", `--rate=${rate}`, "--channels=1", "--format=s16le"],
    prompt: ["--latency-msec=60"],
  },
  {
    name: "aplay",
    input: "stdin",
    args: ["-q", "-t", "raw", "-f", "S16_LE", "-r", rate, "-c", "1", "-"],
    prompt: ["-R", "1", "-F", "20000", "-B", "200000"],
  },
  { name: "play", input: "stdin", args: ["-q", "-t", "s16", "-r", rate, "-c", "1", "-"] },
  {
    name: "mpv",
    input: "stdin",
    args: [
      "--no-config",
      "--no-terminal",
      "--demuxer=rawaudio",
      `--demuxer-rawaudio-rate=${rate}`,
      "--demuxer-rawaudio-channels=1",
      "-",
    ],
    prompt: ["--profile=low-latency"],
  },
  {
    name: "ffplay",
    input: "stdin",
    args: ["-nodisp", "-autoexit", "-loglevel", "error", "-f", "s16le", "-ar", rate, "-i", "-"],
    prompt: ["-fflags", "nobuffer"],
  },
  { name: "afplay", input: "file", args: [] },
];

export const playerNames: readonly string[] = players.map(({ name }) => name);

export function findPlayer(path: string, live: boolean): Player | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  for (const { name, input, args, prompt = [] } of players) {
    const command = folders.map((folder) => join(folder, name)).find(isExecutable);
    const all = live ? [...prompt, ...args] : args;
    if (command) return { name, command, input, args: (file) => (input === "file" ? [...all, file] : all) };
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
