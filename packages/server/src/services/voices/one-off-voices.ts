import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { apiError, type ReferenceRecording } from "@parlance/protocol";
import { CloneError, type Cloning, cloningEngine, type SpeechVoice } from "@parlance/speech";
import { orAborted } from "../../lib/time-limit.ts";
import type { Caller } from "../identity/keys.ts";
import type { UploadFile, UploadFolder } from "../uploads/upload-folder.ts";
import { recordingError } from "./creation.ts";
import { waitForCloning } from "./require-cloning.ts";

/** Voices made from the reference audio of a request. They are cached in memory, not stored. */
export interface OneOffVoices {
  /** Throws the 400 that names the unusable recording. */
  resolve(
    caller: Pick<Caller, "userId">,
    references: readonly ReferenceRecording[],
    signal: AbortSignal,
  ): Promise<SpeechVoice>;
}

export interface OneOffParts {
  readonly cloning: Pick<Cloning, "create" | "missingModels" | "requestModels">;
  readonly uploads: Pick<UploadFolder, "create">;
  /** How many are cached, for clients that send the same recordings with each request. */
  readonly maxRemembered?: number;
  /** How long one may take to be made. */
  readonly makeMs?: number;
}

const MAX_REMEMBERED = 256;
const MAKE_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;
/** More speech adds little, and the client waits for the analysis. */
const MAX_ANALYSIS_SECONDS = 20;

export function createOneOffVoices(parts: OneOffParts): OneOffVoices {
  const { cloning, uploads, maxRemembered = MAX_REMEMBERED, makeMs = MAKE_MS } = parts;
  /** By a hash of the recordings, in order of last use. */
  const voices = new Map<string, Making>();

  async function make(
    id: string,
    owner: string,
    references: readonly ReferenceRecording[],
    signal: AbortSignal,
  ): Promise<SpeechVoice> {
    await waitForCloning(cloning, signal);
    const files: UploadFile[] = [];
    try {
      for (const { audio } of references) {
        const file = await uploads.create();
        files.push(file);
        await file.write(audio);
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
      const { voice } = await cloning.create({ owner, recordings, texts, ...how }, signal);
      return { id, engine: cloningEngine.name, custom: voice };
    } catch (error) {
      throw error instanceof CloneError ? recordingError(error, "references") : error;
    } finally {
      await Promise.all(files.map((file) => file.remove()));
    }
  }

  /** Ends when it takes too long, or when no request waits for it any more. */
  function start(id: string, owner: string, references: readonly ReferenceRecording[]): Making {
    const stop = new AbortController();
    const late = (): void => stop.abort(apiError("overloaded", {}, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    const timer = setTimeout(late, makeMs);
    const making: Making = { voice: make(id, owner, references, stop.signal), stop, waiting: 0, isMade: false };
    const forget = (): void => {
      if (voices.get(id) === making) voices.delete(id);
    };
    stop.signal.addEventListener("abort", forget);
    making.voice
      .then(() => {
        making.isMade = true;
      }, forget)
      .finally(() => clearTimeout(timer));
    return making;
  }

  return {
    async resolve({ userId }, references, signal) {
      signal.throwIfAborted();
      const id = contentHash(references);
      const making = voices.get(id) ?? start(id, userId, references);
      voices.delete(id);
      voices.set(id, making);
      for (const oldest of voices.keys()) {
        if (voices.size <= maxRemembered) break;
        voices.delete(oldest);
      }
      making.waiting += 1;
      try {
        return await orAborted(making.voice, signal);
      } finally {
        making.waiting -= 1;
        // Otherwise clients that disconnect could fill the queue of the decoder.
        if (making.waiting === 0 && !making.isMade) making.stop.abort(new Error("no request waits for the voice"));
      }
    },
  };
}

/** A voice that is being made, or has been. */
interface Making {
  readonly voice: Promise<SpeechVoice>;
  readonly stop: AbortController;
  /** Requests that wait for it. */
  waiting: number;
  isMade: boolean;
}

function contentHash(references: readonly ReferenceRecording[]): string {
  const hash = createHash("sha256");
  for (const { audio, text = "" } of references) {
    for (const part of [audio, text]) hash.update(createHash("sha256").update(part).digest());
  }
  return hash.digest("hex").slice(0, 32);
}
