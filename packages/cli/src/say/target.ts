import { existsSync } from "node:fs";
import { extname } from "node:path";
import { AUDIO_FORMATS, type AudioFormatName } from "@parlance/protocol";
import { UsageError } from "../errors.ts";
import { findPlayer, type Player, playerNames } from "./player.ts";

/** Where the speech goes. */
export type Target =
  | { readonly kind: "file"; readonly path: string; readonly format: AudioFormatName }
  | { readonly kind: "stdout"; readonly format: AudioFormatName }
  | { readonly kind: "player"; readonly player: Player };

export interface TargetOptions {
  readonly output?: string;
  readonly format?: AudioFormatName;
  readonly play?: boolean;
  readonly live?: boolean;
}

export interface Surroundings {
  /** The PATH in which players are looked for. */
  readonly path: string;
  /** Somebody sits in front of it and may hear something. */
  readonly attended: boolean;
  readonly stdoutIsTerminal: boolean;
}

const extensions: Readonly<Record<string, AudioFormatName>> = {
  ".mp3": "mp3",
  ".wav": "wav",
  ".pcm": "pcm",
  ".raw": "pcm",
  ".opus": "opus",
  ".ogg": "opus",
};

export function chooseTarget({ output, format, play, live = false }: TargetOptions, around: Surroundings): Target {
  if (output === "-") {
    if (around.stdoutIsTerminal)
      throw new UsageError("audio is not for a terminal: pipe it somewhere, or name a file with -o");
    return { kind: "stdout", format: format ?? "mp3" };
  }
  if (output !== undefined) return { kind: "file", path: output, format: format ?? formatOf(output) };
  const player = findPlayer(around.path, live);
  if (play && !player)
    throw new UsageError(`no player was found; install one of ${playerNames.join(", ")}, or write a file with -o`);
  if (player && (play || (around.attended && format === undefined))) return { kind: "player", player };
  return { kind: "file", path: freeName(format ?? "mp3"), format: format ?? "mp3" };
}

function formatOf(path: string): AudioFormatName {
  const extension = extname(path).toLowerCase();
  const format = extensions[extension];
  if (format) return format;
  const known = Object.keys(extensions).join(", ");
  throw new UsageError(
    `${extension ? `the extension ${extension}` : "a name without extension"} does not tell the format: end it in one of ${known}, or give --format ${AUDIO_FORMATS.join("|")}`,
  );
}

/** Nobody named the file, so nothing that is there may be lost. */
function freeName(extension: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? `speech.${extension}` : `speech-${count}.${extension}`;
    if (!existsSync(name)) return name;
  }
}
