import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClonedSound, ClonedVoice, Cloning, RefinementSimilarity } from "@parlance/speech";
import { measureProcesses } from "../process-usage.ts";
import { round } from "../statistics.ts";

const never = new AbortController().signal;

export interface Refinement {
  /** Undefined where the refinement was not kept. */
  readonly voice: ClonedSound | undefined;
  /** To recordings that the voice was not refined with. Undefined where there was too little speech. */
  readonly similarity: RefinementSimilarity | undefined;
  readonly cpuSeconds: number;
}

/** Refines a voice with the speech of its recordings, as a server does. Nothing else may run in this process meanwhile. */
export async function refineSpeaker(name: string, cloned: ClonedVoice, cloning: Cloning): Promise<Refinement> {
  const folder = mkdtempSync(join(tmpdir(), "parlance-clone-"));
  try {
    const recordings = cloned.recordings.map(({ speech }, index) => {
      if (speech === undefined) throw new Error(`the speech of recording ${index + 1} of ${name} was not kept`);
      const file = join(folder, `${index + 1}.ogg`);
      writeFileSync(file, speech);
      return file;
    });
    console.log(`${name}: refining the voice, which takes minutes`);
    const usage = measureProcesses(process.pid);
    let cpuSeconds = 0;
    const outcome = await cloning.refine({ recordings, voice: cloned.voice, share: 1 }, never).finally(() => {
      cpuSeconds = usage.end().cpuSeconds;
    });
    return { ...outcome, cpuSeconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function describeRefinement({ voice, similarity, cpuSeconds }: Refinement): string {
  const figures = similarity
    ? `similarity to speech that was left out ${round(similarity.before, 3)} before, ${round(similarity.after, 3)} after`
    : "too little speech";
  return `${voice ? "kept" : "not kept"}, ${figures}, ${round(cpuSeconds)} s of CPU time`;
}
