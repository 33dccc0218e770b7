import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that plays raw speech from its standard input, or a file. */
export interface Player {
  readonly command: string;
  readonly input: "stdin" | "file";
  args(file: string): readonly string[];
}

/** What is piped to players: 16-bit mono, a rate that every sound card knows. */
export const playerSampleRate = 44_100;
const rate = String(playerSampleRate);

const players: readonly { readonly name: string; readonly input: Player["input"]; readonly args: readonly string[] }[] =
  [
    { name: "pw-cat", input: "stdin", args: ["-p", "--rate", rate, "--channels", "1", "--format", "s16", "-"] },
    { name: "pacat", input: "stdin", args: ["-p", "--raw", `--rate=${rate}`, "--channels=1", "--format=s16le"] },
    { name: "aplay", input: "stdin", args: ["-q", "-t", "raw", "-f", "S16_LE", "-r", rate, "-c", "1", "-"] },
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
    },
    {
      name: "ffplay",
      input: "stdin",
      args: ["-nodisp", "-autoexit", "-loglevel", "error", "-f", "s16le", "-ar", rate, "-i", "-"],
    },
    { name: "afplay", input: "file", args: [] },
  ];

export const playerNames: readonly string[] = players.map(({ name }) => name);

export function findPlayer(path: string): Player | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  for (const { name, input, args } of players) {
    const command = folders.map((folder) => join(folder, name)).find(isExecutable);
    if (command) return { command, input, args: (file) => (input === "file" ? [...args, file] : args) };
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
