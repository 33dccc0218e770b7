import { readFile } from "node:fs/promises";
import { errorMessage } from "../../lib/errors.ts";
import { type Graph, parseGraph } from "./graph.ts";

/** Reads a model file. The error for a damaged one names the file and what to do. */
export async function readGraph(file: string): Promise<Graph> {
  const bytes = await readFile(file);
  return withModelFile(file, () => parseGraph(bytes));
}

/** Runs work on the contents of a model file, which fails when they are damaged. */
export async function withModelFile<Result>(file: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw damagedModel(file, error);
  }
}

function damagedModel(file: string, cause: unknown): Error {
  const remedy =
    "Find it with `parlance models verify`, then `parlance models remove` and `parlance models pull` it again";
  return new Error(`The model file ${file} is damaged (${errorMessage(cause)}). ${remedy}.`, { cause });
}
