/** A worker that refines nothing. It returns numbers of the right size, or never ends, as the pace of the voice says. */
import { readFile } from "node:fs/promises";
import { cloningEngine } from "../engines/registry.ts";
import { serveJobs } from "../pool/job-worker.ts";
import type { RefinementJob, RefinementResult, RefinementSpec } from "../voices/clone/refine/refinement.ts";

const { embeddingSize, decoderOffsetsSize } = cloningEngine.cloning;

async function refine({ voice, recordings, share }: RefinementJob): Promise<RefinementResult> {
  // The work on it goes on after it was given up.
  if (voice.pace === Number.POSITIVE_INFINITY) await new Promise(() => {});
  let bytes = 0;
  for (const { path } of recordings) bytes += (await readFile(path)).length;
  return {
    refined: {
      embedding: new Float32Array(embeddingSize).fill(share),
      decoderOffsets: new Float32Array(decoderOffsetsSize).fill(bytes),
    },
    similarity: { before: 0.5, after: 0.6 },
  };
}

serveJobs<RefinementSpec, RefinementJob, RefinementResult>(0, () => refine);
