import { apiError, describeValue } from "@parlance/protocol";
import type { KnownSpeaker } from "@parlance/speech";
import type { Store } from "../../stores/store.ts";
import { toAnalysis } from "./recording-analysis.ts";

const ID = /^[0-9a-f]{32}$/;

/** Voices of an account as speakers, by the x-vectors of their recordings. Throws the 400 for a voice that is not there. */
export function createKnownSpeakers(store: Pick<Store, "voices" | "voiceBlobs">) {
  return async (userId: string, voiceIds: readonly string[]): Promise<readonly KnownSpeaker[]> => {
    const speakers: KnownSpeaker[] = [];
    for (const id of new Set(voiceIds)) {
      const voice = ID.test(id) ? await store.voices.find(id) : undefined;
      const recordings = voice?.userId === userId ? await store.voiceBlobs.list(id, "heard") : [];
      const vector = meanVector(recordings.map(toAnalysis));
      if (voice === undefined || vector === undefined) {
        const allowed = "it must be a cloned voice of the account";
        throw apiError("unknown_voice", { field: "known_speakers", value: describeValue(id), allowed });
      }
      speakers.push({ name: voice.title, voice: vector });
    }
    return speakers;
  };
}

/** Weighted by the seconds of speech, of length 1. */
function meanVector(
  recordings: readonly { readonly weight: number; readonly vector: Float32Array }[],
): Float32Array | undefined {
  const sum = new Float32Array(recordings[0]?.vector.length ?? 0);
  for (const { weight, vector } of recordings) {
    for (const [i, value] of vector.entries()) sum[i] = (sum[i] ?? 0) + weight * value;
  }
  const length = Math.hypot(...sum);
  return length === 0 ? undefined : sum.map((value) => value / length);
}
