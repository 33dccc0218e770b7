import type { ObjectStorage } from "../../stores/object-storage.ts";
import type { Store } from "../../stores/store.ts";

export interface ObjectReport {
  /** Objects that the database knows. */
  readonly known: number;
  /** Of those, how many the object storage has. */
  readonly found: number;
  /** Objects that the database does not know, for example because an older copy of it was restored. */
  readonly unknown: number;
}

/** Compares the object storage with the database, and calls `onUnknown` for each object that the database does not know. */
export async function checkObjects(
  store: Pick<Store, "voiceObjects">,
  objects: ObjectStorage,
  onUnknown: (key: string) => Promise<void>,
  signal: AbortSignal,
): Promise<ObjectReport> {
  const report = { known: await store.voiceObjects.count(), found: 0, unknown: 0 };
  for await (const keys of objects.list(signal)) {
    const own = keys.filter((key) => key.startsWith("voices/"));
    const known = new Set(await store.voiceObjects.known(own));
    report.found += known.size;
    for (const key of own.filter((each) => !known.has(each))) {
      report.unknown += 1;
      await onUnknown(key);
    }
  }
  return report;
}
