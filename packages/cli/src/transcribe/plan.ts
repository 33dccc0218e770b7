import { existsSync, statSync } from "node:fs";
import { basename, extname, join, sep } from "node:path";
import { UsageError } from "../errors.ts";
import { isTranscriptFormat, type TranscriptFormat, transcriptFormats } from "./render.ts";

export interface PlanOptions {
  readonly formats: readonly TranscriptFormat[] | undefined;
  readonly output: string | undefined;
  readonly force: boolean;
}

/** The output of a transcript in one format; standard output when there is no path. */
export interface Target {
  readonly format: TranscriptFormat;
  readonly path: string | undefined;
}

export interface Task {
  /** A path, or "-". */
  readonly input: string;
  readonly targets: readonly Target[];
}

/** Checks all inputs and outputs before any work starts. */
export function planTasks(inputs: readonly string[], { formats, output, force }: PlanOptions): readonly Task[] {
  if (inputs.filter((input) => input === "-").length > 1) throw new UsageError("standard input can be read only once");
  const named = output === undefined ? undefined : extname(output).slice(1).toLowerCase();
  const selected = formats ?? (named !== undefined && isTranscriptFormat(named) ? [named] : ["txt" as const]);
  const single = inputs.length === 1 && selected.length === 1;
  if (output === "-" || (output === undefined && single)) {
    if (!single) throw new UsageError("standard output takes one recording in one format: name a folder with -o");
    return inputs.map((input) => ({ input, targets: selected.map((format) => ({ format, path: undefined })) }));
  }
  if (output !== undefined && !isFolder(output, single)) {
    if (!single) throw new UsageError(`${output} is a file, but there are several outputs: name a folder with -o`);
    return inputs.map((input) => ({ input, targets: selected.map((format) => ({ format, path: output })) }));
  }
  return intoFolder(inputs, selected, output ?? ".", force);
}

function intoFolder(
  inputs: readonly string[],
  formats: readonly TranscriptFormat[],
  folder: string,
  force: boolean,
): readonly Task[] {
  const taken = new Map<string, string>();
  return inputs.map((input) => ({
    input,
    targets: formats.map((format) => {
      const path = join(folder, `${nameOf(input)}.${format}`);
      const other = taken.get(path);
      if (other !== undefined) throw new UsageError(`${other} and ${input} would both be written to ${path}`);
      taken.set(path, input);
      // The name was not chosen by the user, so an existing file must not be replaced.
      if (!force && existsSync(path)) throw new UsageError(`${path} exists already; --force overwrites it`);
      return { format, path };
    }),
  }));
}

function isFolder(output: string, single: boolean): boolean {
  if (existsSync(output)) return statSync(output).isDirectory();
  return !single || output.endsWith("/") || output.endsWith(sep);
}

function nameOf(input: string): string {
  return input === "-" ? "stdin" : basename(input, extname(input));
}

/** "srt,vtt" */
export function parseFormats(text: string): readonly TranscriptFormat[] {
  const names = [...new Set(text.split(",").map((name) => name.trim().toLowerCase()))];
  const formats = names.filter(isTranscriptFormat);
  if (formats.length !== names.length) {
    throw new UsageError(`--format ${text}: it must be one or several of ${transcriptFormats.join(", ")}, with commas`);
  }
  return formats;
}
