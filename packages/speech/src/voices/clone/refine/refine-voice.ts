import { cloningEngine } from "../../../engines/registry.ts";
import { SpeechError } from "../../../errors.ts";
import { isFloats } from "../../../pool/remote/checked-values.ts";
import { CloneError } from "../clone-error.ts";
import { type DecodeRecording, type DecodingRequest, inFolder } from "../decode-recordings.ts";
import type { ClonedSound } from "../make-voice.ts";
import type { DecodedSpeech } from "../read-speech.ts";
import { LEAST_SHARE, type RefinementJob, type RefinementResult, type RefinementSimilarity } from "./refinement.ts";

export interface RefinementRequest extends DecodingRequest {
  /** Files with the speech of the recordings that the voice was made from, as `create` returns it. */
  readonly recordings: readonly string[];
  /** As the voice encoder made it. */
  readonly voice: ClonedSound;
  /** The share of one core that the work may use, above 0 and at most 1; less than 0.01 counts as 0.01. It takes minutes of a whole core. */
  readonly share: number;
}

export interface RefinementOutcome {
  /** The given voice, more similar to the speaker. Undefined where it stays as it is. */
  readonly voice: ClonedSound | undefined;
  /** How similar it is to recordings that it was not refined with. Undefined where there is too little speech. */
  readonly similarity: RefinementSimilarity | undefined;
}

/** Decodes the recordings of a voice and refines it with them. */
export async function refineVoice(
  { recordings, voice, share, ...request }: RefinementRequest,
  decode: DecodeRecording,
  run: (job: RefinementJob) => Promise<RefinementResult>,
  signal: AbortSignal,
): Promise<RefinementOutcome> {
  if (!(share > 0 && share <= 1)) throw new RangeError(`the share of a core is above 0 and at most 1, not ${share}`);
  const result = await inFolder(request, async (folder) => {
    const decoded: DecodedSpeech[] = [];
    for (const [index, path] of recordings.entries()) {
      const target = await decode(path, index, folder, request.owner, signal).catch(ignoreUnusable);
      if (target !== undefined) decoded.push({ path: target });
    }
    if (decoded.length === 0) return { refined: undefined, similarity: undefined };
    return run({ voice, recordings: decoded, share: Math.max(LEAST_SHARE, share) });
  });
  const { refined, similarity } = checked(result);
  return { voice: refined ? { ...voice, ...refined } : undefined, similarity };
}

/** The other recordings are enough. */
function ignoreUnusable(error: unknown): undefined {
  if (!(error instanceof CloneError)) throw error;
}

/** A machine of another version may have made it. */
function checked({ refined, similarity }: RefinementResult): RefinementResult {
  const { embeddingSize, decoderOffsetsSize } = cloningEngine.cloning;
  const isRefined =
    !refined || (isFloats(embeddingSize, refined.embedding) && isFloats(decoderOffsetsSize, refined.decoderOffsets));
  const isMeasured = !similarity || [similarity.before, similarity.after].every(Number.isFinite);
  if (!isRefined || !isMeasured) throw new SpeechError("failed", "the refinement of a voice returned no voice");
  return {
    refined: refined ? { embedding: refined.embedding, decoderOffsets: refined.decoderOffsets } : undefined,
    similarity: similarity ? { before: similarity.before, after: similarity.after } : undefined,
  };
}
