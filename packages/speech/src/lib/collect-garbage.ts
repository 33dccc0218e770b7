import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Frees at once what is no longer used. It blocks the process for some 20 ms, so it is for the end of loading only. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  // Only contexts that are created after that have the function.
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
