import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { cloningEngine } from "../engines/registry.ts";
import { SpeechError } from "../errors.ts";
import { inTemporaryFolder } from "../lib/temporary-folder.ts";
import { isCount, isFields, isFloats, isUpTo } from "../pool/remote/checked-values.ts";
import type { Service } from "../pool/remote/service.ts";
import { isProsody } from "../voices/clone/prosody.ts";
import { LEAST_SHARE, type RefinementJob, type RefinementResult } from "../voices/clone/refine/refinement.ts";
import { refuseOtherEncoder } from "../voices/clone/refine/refuse-other-encoder.ts";
import type { RemoteRefinementJob } from "../voices/clone/refine/remote-refinement.ts";
import { singleService } from "./services.ts";

/** As many recordings as a voice may have, and their samples in all. */
const MAX_RECORDINGS = 20;
const MAX_BYTES = 128 * 2 ** 20;
/** A voice takes minutes to an hour. Where this machine has one, the next one is for another machine. */
const MAX_RUNNING = 1;

export interface RefinementServiceOptions {
  readonly isInstalled: () => boolean;
  /** The share of one core that this machine gives to it; the share of a job is used where it is smaller. */
  readonly share: number;
  /** The version of the voice encoder here. */
  readonly encoderVersion: () => Promise<string>;
  readonly refine: (job: RefinementJob, signal: AbortSignal) => Promise<RefinementResult>;
  /** Where recordings lie meanwhile; the system's temporary folder by default. */
  readonly workFolder?: string | undefined;
}

/** Refines voices with recordings that arrive in parts. Their files lie in a folder, which is removed when the job ends or fails. */
export function refinementService(options: RefinementServiceOptions): Service {
  const run = async (
    given: unknown,
    signal: AbortSignal,
    input: AsyncIterable<Uint8Array>,
  ): Promise<RefinementResult> => {
    const { recordingBytes, ...job } = readJob(given);
    refuseOtherEncoder(job.voice, await options.encoderVersion());
    return inTemporaryFolder("parlance-refinement-", options.workFolder, async (folder) => {
      const paths = recordingBytes.map((_, index) => join(folder, String(index)));
      await store(paths, recordingBytes, input);
      const share = Math.max(LEAST_SHARE, Math.min(job.share, options.share));
      return options.refine({ ...job, share, recordings: paths.map((path) => ({ path })) }, signal);
    });
  };
  return singleService(options.isInstalled, run, MAX_RUNNING);
}

function readJob(job: unknown): RemoteRefinementJob {
  const isValid =
    isFields(job) &&
    isFields(job.voice) &&
    isFloats(cloningEngine.cloning.embeddingSize, job.voice.embedding) &&
    // It is the name of a file.
    isProsody(job.voice.prosody) &&
    typeof job.voice.encoder === "string" &&
    isUpTo(1, job.share) &&
    job.share >= LEAST_SHARE &&
    areLengths(job.recordingBytes);
  if (!isValid) throw new SpeechError("failed", "the job of another machine cannot be read");
  return job as unknown as RemoteRefinementJob;
}

function areLengths(values: unknown): boolean {
  if (!Array.isArray(values) || values.length > MAX_RECORDINGS) return false;
  if (!values.every((bytes) => isCount(MAX_BYTES, bytes))) return false;
  return values.reduce((sum, bytes) => sum + bytes, 0) <= MAX_BYTES;
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
