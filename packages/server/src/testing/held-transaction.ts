import type { Records } from "../stores/store.ts";

type Run = (work: (records: Records) => Promise<void>) => Promise<void>;

/** Starts a transaction, as another node does, and keeps it open after `lock` until the result is called. */
export async function holdTransaction(
  run: Run,
  lock: (records: Records) => Promise<unknown>,
): Promise<() => Promise<void>> {
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ended = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    ended = run(async (records) => {
      await lock(records);
      resolve();
      await isReleased;
    });
    ended.catch(reject);
  });
  return () => {
    release();
    return ended;
  };
}
