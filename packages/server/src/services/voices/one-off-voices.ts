import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { ReferenceRecording } from "@parlance/protocol";
import { CloneError, type Cloning, cloningEngine, type SpeechVoice } from "@parlance/speech";
import type { UploadFolder } from "../uploads/upload-folder.ts";
import { recordingError } from "./creation.ts";
import { waitForCloning } from "./require-cloning.ts";

/** Voices made from the reference audio of a request. They are cached in memory, not stored. */
export interface OneOffVoices {
  /** Throws the 400 that names the unusable recording. */
  resolve(references: readonly ReferenceRecording[], signal: AbortSignal): Promise<SpeechVoice>;
}

export interface OneOffParts {
  readonly cloning: Pick<Cloning, "create" | "missingModels" | "requestModels">;
  readonly uploads: Pick<UploadFolder, "create">;
  /** How many are cached, for clients that send the same recordings with each request. */
  readonly maxRemembered?: number;
}

const MAX_REMEMBERED = 256;
/** More speech adds little, and the client waits for the analysis. */
const MAX_ANALYSIS_SECONDS = 20;

export function createOneOffVoices({ cloning, uploads, maxRemembered = MAX_REMEMBERED }: OneOffParts): OneOffVoices {
  /** By a hash of the recordings, in order of last use. */
  const voices = new Map<string, Promise<SpeechVoice>>();

  async function make(
    id: string,
    references: readonly ReferenceRecording[],
    signal: AbortSignal,
  ): Promise<SpeechVoice> {
    await waitForCloning(cloning, signal);
    const files = await Promise.all(references.map(() => uploads.create()));
    try {
      for (const [index, file] of files.entries()) {
        await file.write(references[index]?.audio ?? new Uint8Array());
        await file.finish();
      }
      const recordings = files.map((file) => file.path);
      const texts = references.map(({ text }) => text);
      const [first = ""] = recordings;
      const how = {
        enhance: false,
        keepSpeech: false,
        analyzedSeconds: MAX_ANALYSIS_SECONDS,
        workFolder: dirname(first),
      };
      const { voice } = await cloning.create({ recordings, texts, ...how }, signal);
      return { id, engine: cloningEngine.name, custom: voice };
    } catch (error) {
      throw error instanceof CloneError ? recordingError(error, "references") : error;
    } finally {
      await Promise.all(files.map((file) => file.remove()));
    }
  }

  return {
    async resolve(references, signal) {
      const id = contentHash(references);
      const remembered = voices.get(id);
      voices.delete(id);
      // Not aborted with this request: other requests may wait for the same voice.
      const voice = remembered ?? make(id, references, AbortSignal.timeout(MAKE_MS));
      voices.set(id, voice);
      voice.catch(() => voices.delete(id));
      for (const oldest of voices.keys()) {
        if (voices.size <= maxRemembered) break;
        voices.delete(oldest);
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
