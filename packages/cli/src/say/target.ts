import { existsSync } from "node:fs";
import { extname } from "node:path";
import { AUDIO_FORMATS, type AudioFormatName } from "@parlance/protocol";
import { UsageError } from "../errors.ts";
import { findPlayer, type Player, playerNames } from "./player.ts";

/** Where the audio goes. */
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

export interface TargetEnvironment {
  /** The PATH in which players are looked for. */
  readonly path: string;
  /** Whether a person uses the terminal, so that audio can be played. */
  readonly interactive: boolean;
  readonly stdoutIsTerminal: boolean;
}

const extensions: Readonly<Record<string, AudioFormatName>> = {
  ".mp3": "mp3",
  ".wav": "wav",
  ".pcm": "pcm",
  ".raw": "pcm",
  ".opus": "opus",
  ".ogg": "opus",
  ".aac": "aac",
  ".flac": "flac",
  ".ulaw": "ulaw",
  ".alaw": "alaw",
};

export function chooseTarget(
  { output, format, play, live = false }: TargetOptions,
  surroundings: TargetEnvironment,
): Target {
  if (output === "-") {
    if (surroundings.stdoutIsTerminal)
      throw new UsageError("audio cannot be printed to a terminal: pipe it to a program, or name a file with -o");
    return { kind: "stdout", format: format ?? "mp3" };
  }
  if (output !== undefined) return { kind: "file", path: output, format: format ?? formatOf(output) };
  const player = findPlayer(surroundings.path, live);
  if (play && !player)
    throw new UsageError(`no player was found; install one of ${playerNames.join(", ")}, or write a file with -o`);
  if (player && (play || (surroundings.interactive && format === undefined))) return { kind: "player", player };
  return { kind: "file", path: unusedName(format ?? "mp3"), format: format ?? "mp3" };
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

/** Where speech goes that could not be played. */
export function fallbackPath(): string {
  return unusedName("wav");
}

/** The name was not chosen by the user, so an existing file must not be replaced. */
function unusedName(extension: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? `speech.${extension}` : `speech-${count}.${extension}`;
    if (!existsSync(name)) return name;
  }
}
