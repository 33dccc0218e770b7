import type { Store } from "../../stores/store.ts";
import type { VoiceBlobPlace } from "../../stores/voice-blobs.ts";
import type { VoiceFiles } from "./voice-files.ts";

export interface MoveResult {
  readonly moved: number;
  /** Changed or deleted by a server in the meantime. */
  readonly skipped: number;
  /** Files that the object storage has lost. */
  readonly lost: number;
}

export interface MoveParts {
  readonly store: Store;
  readonly files: VoiceFiles;
  readonly onMoved?: (moved: number) => void;
}

const AT_A_TIME = 100;

/**
 * Moves the bytes of recordings and covers from the database into the object storage, or back. Servers may run at the same
 * time, and a move that was interrupted is continued by the next one.
 */
export async function moveFiles(
  to: "objects" | "database",
  { store, files, onMoved = () => {} }: MoveParts,
  signal: AbortSignal,
): Promise<MoveResult> {
  const result = { moved: 0, skipped: 0, lost: 0 };
  const from = to === "objects" ? "database" : "objects";
  let last: VoiceBlobPlace | undefined;
  for (;;) {
    const places = await store.voiceBlobs.listPlaces(from, last, AT_A_TIME);
    for (const place of places) {
      signal.throwIfAborted();
      result[await moveOne(to, place, { store, files }, signal)] += 1;
      onMoved(result.moved);
      last = place;
    }
    if (places.length < AT_A_TIME) return result;
  }
}

async function moveOne(
  to: "objects" | "database",
  place: VoiceBlobPlace,
  { store, files }: MoveParts,
  signal: AbortSignal,
): Promise<keyof MoveResult> {
  const blob = await store.voiceBlobs.findAt(place);
  if (blob === undefined) return "skipped";
  if (to === "database") {
    const bytes = await files.read(blob, signal);
    if (bytes === undefined) return "lost";
    const target = { bytes, object: null };
    const done = await store.transaction(({ voiceBlobs }) => voiceBlobs.moveBytes(place, blob, target));
    return done ? "moved" : "skipped";
  }
  return files.saved(place.voiceId, [blob], signal, async ([stored = blob]) => {
    if (await store.transaction(({ voiceBlobs }) => voiceBlobs.moveBytes(place, blob, stored))) return "moved";
    await store.voiceObjects.releasePending(stored.object ? [stored.object] : []);
    return "skipped";
  });
}
