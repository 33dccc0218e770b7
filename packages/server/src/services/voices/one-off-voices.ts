import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { ReferenceRecording } from "@parlance/protocol";
import { CloneError, type Cloning, type SpokenVoice } from "@parlance/speech";
import type { UploadFolder } from "../speech/upload-folder.ts";
import { unusable } from "./creation.ts";
import { requireCloning } from "./require-cloning.ts";

/** Voices that a request brings along as recordings. They are not stored. */
export interface OneOffVoices {
  /** Throws the 400 that says which recording is of no use. */
  resolve(references: readonly ReferenceRecording[], signal: AbortSignal): Promise<SpokenVoice>;
}

export interface OneOffParts {
  readonly cloning: Pick<Cloning, "create" | "missing" | "want">;
  readonly uploads: Pick<UploadFolder, "create">;
  /** How many are remembered, for whoever sends the same recordings with each request. */
  readonly most?: number;
}

const MOST_REMEMBERED = 256;
/** More speech than that tells little more of a voice, and somebody waits. */
const LISTEN_SECONDS = 20;

export function createOneOffVoices({ cloning, uploads, most = MOST_REMEMBERED }: OneOffParts): OneOffVoices {
  /** By the content of the recordings; the one that was used last is the last. */
  const known = new Map<string, Promise<SpokenVoice>>();

  async function make(
    id: string,
    references: readonly ReferenceRecording[],
    signal: AbortSignal,
  ): Promise<SpokenVoice> {
    requireCloning(cloning);
    const files = await Promise.all(references.map(() => uploads.create()));
    try {
      for (const [index, file] of files.entries()) {
        await file.write(references[index]?.audio ?? new Uint8Array());
        await file.finish();
      }
      const recordings = files.map((file) => file.path);
      const texts = references.map(({ text }) => text);
      const [first = ""] = recordings;
      const how = { enhance: false, keep: false, listenSeconds: LISTEN_SECONDS, workFolder: dirname(first) };
      const { embedding, nearer, pace } = await cloning.create({ recordings, texts, ...how }, signal);
      return { id, engine: "piper", own: { embedding: nearer ?? embedding, pace } };
    } catch (error) {
      throw error instanceof CloneError ? unusable(error, "references") : error;
    } finally {
      await Promise.all(files.map((file) => file.remove()));
    }
  }

  return {
    async resolve(references, signal) {
      const id = contentHash(references);
      const remembered = known.get(id);
      known.delete(id);
      // Nobody else's work ends with this caller: it is short, and the next one may want the same.
      const voice = remembered ?? make(id, references, AbortSignal.timeout(MAKE_MS));
      known.set(id, voice);
      voice.catch(() => known.delete(id));
      for (const oldest of known.keys()) {
        if (known.size <= most) break;
        known.delete(oldest);
      }
      const found = await voice;
      signal.throwIfAborted();
      return found;
    },
  };
}

const MAKE_MS = 60_000;

function contentHash(references: readonly ReferenceRecording[]): string {
  const hash = createHash("sha256");
  for (const { audio, text = "" } of references) {
    for (const part of [audio, text]) hash.update(createHash("sha256").update(part).digest());
  }
  return hash.digest("hex").slice(0, 32);
}
