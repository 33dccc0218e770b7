import { findProgram } from "../find-program.ts";

/** A program that plays raw speech from its standard input, or a file. */
export interface Player {
  readonly name: string;
  readonly command: string;
  readonly input: "stdin" | "file";
  /** What it writes when it fails and exits as if it had not. */
  readonly failure?: RegExp | undefined;
  args(file: string): readonly string[];
}

/** The sample rate of the 16-bit mono audio that players get; supported by every sound card. */
export const playerSampleRate = 44_100;
const rate = String(playerSampleRate);

interface KnownPlayer {
  readonly name: string;
  readonly input: Player["input"];
  readonly args: readonly string[];
  /** Arguments for live speech: play at once instead of waiting until a buffer is full. */
  readonly lowLatency?: readonly string[];
  readonly failure?: RegExp;
}

const players: readonly KnownPlayer[] = [
  { name: "pw-cat", input: "stdin", args: ["-p", "--rate", rate, "--channels", "1", "--format", "s16", "-"] },
  {
    name: "pacat",
    input: "stdin",
    args: ["-p", "--raw", `--rate=${rate}`, "--channels=1", "--format=s16le"],
    lowLatency: ["--latency-msec=60"],
  },
  {
    name: "aplay",
    input: "stdin",
    args: ["-q", "-t", "raw", "-f", "S16_LE", "-r", rate, "-c", "1", "-"],
    lowLatency: ["-R", "1", "-F", "20000", "-B", "200000"],
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
    lowLatency: ["--profile=low-latency"],
  },
  {
    name: "ffplay",
    input: "stdin",
    args: ["-nodisp", "-autoexit", "-loglevel", "error", "-f", "s16le", "-ar", rate, "-i", "-"],
    lowLatency: ["-fflags", "nobuffer"],
    failure: /audio open failed/,
  },
  { name: "afplay", input: "file", args: [] },
];

export const playerNames: readonly string[] = players.map(({ name }) => name);

export function findPlayer(path: string, live: boolean): Player | undefined {
  for (const { name, input, args, failure, lowLatency = [] } of players) {
    const command = findProgram(path, name);
    const all = live ? [...lowLatency, ...args] : args;
    if (command) return { name, command, input, failure, args: (file) => (input === "file" ? [...all, file] : all) };
  }
  return undefined;
}
