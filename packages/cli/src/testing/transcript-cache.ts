import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";

export interface TranscriptCache {
  /** A temporary folder for the whole file. */
  readonly folder: string;
  /** In it, for `XDG_CACHE_HOME`. */
  readonly cache: string;
  /** The parts of recordings that are kept in the cache. */
  kept(): Promise<string[]>;
}

export function useTranscriptCache(): TranscriptCache {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "parlance-transcribe-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const cacheOf = (): string => join(folder, "cache");
  return {
    get folder() {
      return folder;
    },
    get cache() {
      return cacheOf();
    },
    kept: () => readdir(join(cacheOf(), "parlance", "transcripts")),
  };
}
