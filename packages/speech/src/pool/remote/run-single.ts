import { SpeechError } from "../../errors.ts";
import type { OnJobEnd } from "../job-report.ts";
import type { Cluster } from "./cluster.ts";
import type { RemoteRun } from "./remote-task.ts";

/** Runs a job with one result. */
export async function runSingle<Result>(
  cluster: Cluster,
  kind: string,
  job: unknown,
  options: RemoteRun,
  signal: AbortSignal,
  onEnd?: OnJobEnd,
): Promise<Result> {
  let result: { readonly part: Result } | undefined;
  for await (const part of cluster.run(kind, job, options, signal, onEnd)) {
    result = { part: part as Result };
  }
  if (result) return result.part;
  throw new SpeechError("failed", `a machine gave no answer for ${kind}`);
}
