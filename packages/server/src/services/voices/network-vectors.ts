import { dirname } from "node:path";
import type { Cloning, NetworkVector } from "@parlance/speech";
import type { Store } from "../../stores/store.ts";
import type { VoiceBlob } from "../../stores/voice-blobs.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import type { UploadFolder } from "../uploads/upload-folder.ts";
import { withFile } from "../uploads/with-file.ts";
import { isPassingFault } from "./passing-fault.ts";
import { toNetworkVector } from "./recording-analysis.ts";
import type { VoiceFiles } from "./voice-files.ts";

/** The vectors of the recordings of a voice by the speaker network, by the numbers of the recordings. */
export interface NetworkVectors {
  /** All of the present network. Without those of recordings that are lost or cannot be analyzed. */
  readonly known: ReadonlyMap<number, NetworkVector>;
  /** Those that are not stored yet. */
  readonly measured: ReadonlyMap<number, NetworkVector>;
}

export interface NetworkVectorsParts {
  readonly store: Pick<Store, "voiceBlobs">;
  readonly files: Pick<VoiceFiles, "read">;
  readonly cloning: Pick<Cloning, "networkVectorOf" | "speakerNetworkVersion">;
  readonly uploads: Pick<UploadFolder, "create">;
  readonly log: LogFor<"voice.analysis-failed">;
}

/** With an owner of its own it gets its turn also while accounts have many recordings. */
const OWNER = "refinement";

/**
 * Finds the vectors of a voice. An earlier version stored none, and those of another version of the network are of no use: these
 * recordings are analyzed again.
 */
export function createNetworkVectors({ store, files, cloning, uploads, log }: NetworkVectorsParts) {
  const measure = async (recording: VoiceBlob, signal: AbortSignal): Promise<NetworkVector | undefined> => {
    const bytes = await files.read(recording, signal);
    if (bytes === undefined) return undefined;
    return withFile(uploads, bytes, (path) =>
      cloning.networkVectorOf({ path, workFolder: dirname(path), owner: OWNER }, signal),
    );
  };
  return async (voiceId: string, recordings: readonly VoiceBlob[], signal: AbortSignal): Promise<NetworkVectors> => {
    const version = await cloning.speakerNetworkVersion();
    const blobs = await store.voiceBlobs.list(voiceId, "network-vector");
    const stored = new Map(
      blobs
        .map((blob) => [blob.number, toNetworkVector(blob)] as const)
        .filter(([, { network }]) => network === version),
    );
    const measured = new Map<number, NetworkVector>();
    for (const recording of recordings) {
      if (stored.has(recording.number)) continue;
      signal.throwIfAborted();
      const vector = await measure(recording, signal).catch((err: unknown) => {
        if (isPassingFault(err)) throw err;
        if (!signal.aborted) logEvent(log, "voice.analysis-failed", { err, voiceId });
        return undefined;
      });
      if (vector !== undefined) measured.set(recording.number, vector);
    }
    return { known: new Map([...stored, ...measured]), measured };
  };
}
