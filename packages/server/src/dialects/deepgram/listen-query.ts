import { apiError, describeValue, WAV_TAGS, wavHeader } from "@parlance/protocol";
import { z } from "zod";
import { KEYWORDS_DESCRIPTION, textList } from "../recognition-hints.ts";

const flag = () =>
  z
    .union([z.literal(["true", "false", ""]), z.array(z.string())], { error: "Expected true or false" })
    .optional()
    .transform((value) => value === "true" || value === "")
    .meta({ type: "boolean", default: false });
const count = (min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).optional().meta({ type: "integer" });

export const listenQuery = z.object({
  model: z.string().optional().meta({ description: "A recognizer of this server; any other name leaves the choice." }),
  language: z.string().optional().meta({ description: "Such as `en` or `en-US`; `multi` and nothing: detected." }),
  keyterm: textList.optional().meta({ description: KEYWORDS_DESCRIPTION }),
  keywords: textList.optional().meta({ description: "The same, each with a weight after a colon, which is left out." }),
  detect_language: flag().meta({ description: "The language is detected, and named in the results." }),
  punctuate: flag().meta({ description: "No effect: transcripts always have punctuation." }),
  smart_format: flag().meta({ description: "No effect." }),
  paragraphs: flag().meta({ description: "The results also have sentences with their times." }),
  utterances: flag().meta({ description: "The results also have utterances: a pause or another speaker ends one." }),
  diarize: flag().meta({ description: "Speaker diarization." }),
  diarize_model: z.string().optional().meta({ description: "Any name enables speaker diarization." }),
  encoding: z
    .string()
    .optional()
    .meta({ enum: ["linear16", "mulaw", "alaw"], description: "Of audio without a header." }),
  sample_rate: count(8000, 48_000).meta({ description: "Of audio without a header, which needs it." }),
  channels: count(1, 2).meta({ description: "Of audio without a header; 1 by default." }),
});

export type ListenOptions = z.output<typeof listenQuery>;

/** Whether speaker diarization is requested. */
export function diarizes({ diarize, diarize_model: model }: ListenOptions): boolean {
  return diarize || (model !== undefined && model !== "");
}

/** Keywords of both forms, as words. */
export function keywordsOf({ keyterm = [], keywords = [] }: ListenOptions): readonly string[] {
  return [keyterm, [keywords].flat().map((keyword) => keyword.replace(/:-?[\d.]+$/, ""))].flat();
}

/** Bytes of a sample, and the tag of the WAV file. */
const ENCODINGS: ReadonlyMap<string, { readonly width: number; readonly tag: number }> = new Map(
  Object.entries({
    linear16: { width: 2, tag: WAV_TAGS.pcm },
    mulaw: { width: 1, tag: WAV_TAGS.ulaw },
    alaw: { width: 1, tag: WAV_TAGS.alaw },
  }),
);

/** The header that raw audio lacks. Undefined for files with a header of their own. */
export function headerFor({ encoding, sample_rate: rate, channels = 1 }: ListenOptions): Uint8Array | undefined {
  const raw = encoding === undefined ? undefined : ENCODINGS.get(encoding);
  // Other encodings have containers, which are recognized by their bytes.
  if (raw === undefined) return undefined;
  if (rate === undefined) {
    const allowed = `raw audio with encoding ${describeValue(encoding)} needs it`;
    throw apiError("invalid_value", { field: "sample_rate", value: "(none)", allowed });
  }
  return wavHeader({ rate, width: raw.width, channels }, { tag: raw.tag });
}
