import { takeTurn } from "@parlance/speech";
import { batchesBySize } from "../../lib/batches.ts";
import type { ProjectAudioStore } from "../../stores/project-audio.ts";

/** SQLite overwrites what is removed, in the thread that serves all requests. The audio of a project may be gigabytes. */
const REMOVED_AT_ONCE = { count: 100, bytes: 8_000_000 };

/** Removes the audio with these hashes, a part of it in each turn of the event loop. */
export async function removeAudio(
  store: Pick<ProjectAudioStore, "remove">,
  projectId: string,
  audio: Iterable<readonly [hash: string, size: { readonly bytes: number }]>,
): Promise<void> {
  const items = Array.from(audio, ([hash, { bytes }]) => ({ hash, bytes }));
  for (const batch of batchesBySize(items, REMOVED_AT_ONCE)) {
    await store.remove(
      projectId,
      batch.map(({ hash }) => hash),
    );
    await takeTurn();
  }
}
