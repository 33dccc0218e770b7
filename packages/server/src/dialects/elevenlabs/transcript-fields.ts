import { LIMITS } from "@parlance/protocol";
import { z } from "zod";
import { KEYWORDS_DESCRIPTION, textList } from "../recognition-hints.ts";

/** The fields beside the recording. */
export const transcriptFields = z.object({
  model_id: z
    .string()
    .optional()
    .meta({ description: "A recognizer of this server; any other name leaves the choice." }),
  language_code: z.string().optional().meta({ description: "ISO 639-1 or 639-3. Detected when left out." }),
  timestamps_granularity: z
    .enum(["none", "word", "character"])
    .default("word")
    .meta({ description: "What has times; `none`: no words are listed." }),
  keyterms: textList.optional().meta({ description: KEYWORDS_DESCRIPTION }),
  diarize: z
    .string()
    .optional()
    .meta({ description: "`true` enables speaker diarization: words have a `speaker_id`." }),
  num_speakers: z
    .string()
    .optional()
    .meta({
      description: `The number of speakers, at most ${LIMITS.asrSpeakers.count}, with \`diarize\`.`,
    }),
});
