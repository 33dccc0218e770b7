import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SpeechError } from "../errors.ts";
import { isCount, isFields, isUpTo } from "../pool/remote/checked-values.ts";
import type { Service } from "../pool/remote/service.ts";
import type { RefinementJob, RefinementResult } from "../voices/clone/refine/refinement.ts";
import type { RemoteRefinementJob } from "../voices/clone/refine/remote-refinement.ts";
import { singleService } from "./services.ts";

/** The longest recordings that are taken from an api node, which has limits of its own. */
const MAX_RECORDINGS = 100;
const MAX_RECORDING_BYTES = 64 * 2 ** 20;

export interface RefinementServiceOptions {
  readonly isInstalled: () => boolean;
  readonly refine: (job: RefinementJob, signal: AbortSignal) => Promise<RefinementResult>;
  /** Where recordings lie meanwhile; the system's temporary folder by default. */
  readonly workFolder?: string | undefined;
}

/** Refines voices with recordings that arrive in parts. Their files lie in a folder of their own and are removed in every case. */
export function refinementService({ isInstalled, refine, workFolder = tmpdir() }: RefinementServiceOptions): Service {
  return singleService(isInstalled, async (job, signal, input) => {
    const { recordingBytes, ...rest } = readJob(job);
    const folder = await mkdtemp(join(workFolder, "parlance-refinement-"));
    try {
      const paths = recordingBytes.map((_, index) => join(folder, String(index)));
      await store(paths, recordingBytes, input);
      return await refine({ ...rest, recordings: paths.map((path) => ({ path })) }, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

function readJob(job: unknown): RemoteRefinementJob {
  const lengths = isFields(job) && Array.isArray(job.recordingBytes) ? job.recordingBytes : [];
  const isValid =
    isFields(job) &&
    isFields(job.voice) &&
    isUpTo(1, job.share) &&
    job.share > 0 &&
    lengths.length <= MAX_RECORDINGS &&
    lengths.every((bytes) => isCount(MAX_RECORDING_BYTES, bytes));
  if (!isValid) throw new SpeechError("failed", "the job of another machine cannot be read");
  return job as unknown as RemoteRefinementJob;
}

/** Cuts the input into files of these lengths. */
async function store(
  paths: readonly string[],
  lengths: readonly number[],
  input: AsyncIterable<Uint8Array>,
): Promise<void> {
  const files: FileHandle[] = [];
  try {
    for (const path of paths) files.push(await open(path, "w"));
    let index = 0;
    let left = lengths[0] ?? 0;
    for await (const bytes of input) {
      for (let from = 0; from < bytes.length; ) {
        while (left === 0 && index < files.length) left = lengths[++index] ?? 0;
        const file = files[index];
        if (!file) throw new SpeechError("failed", "another machine sent more than it said");
        const part = bytes.subarray(from, from + left);
        await file.writeFile(part);
        from += part.length;
        left -= part.length;
      }
    }
    if (left > 0 || lengths.slice(index + 1).some((bytes) => bytes > 0))
      throw new SpeechError("failed", "another machine sent less than it said");
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}
