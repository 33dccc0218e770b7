import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface Case {
  readonly written: string;
  /** The accepted readings. */
  readonly readings: readonly string[];
}

export interface CaseFile {
  /** The class of its cases: "money". */
  readonly name: string;
  readonly cases: readonly Case[];
}

/** The files of a language's folder. Lines without a written or a spoken part are skipped. */
export function casesOf(folder: string): CaseFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".txt"))
    .sort()
    .map((file) => ({
      name: basename(file, ".txt"),
      cases: readFileSync(join(folder, file), "utf8").split(/\r?\n/).flatMap(parseLine),
    }));
}

function parseLine(line: string): Case[] {
  const [written = "", ...spoken] = line.split("~");
  const readings = spoken.filter((reading) => reading.trim() !== "");
  return written.trim() === "" || readings.length === 0 ? [] : [{ written, readings }];
}
