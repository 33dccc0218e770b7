import { type AsrRules, apiError, describeValue, type ListenRequest, parseListenRequest } from "@parlance/protocol";
import { z } from "zod";
import { languageCode } from "../../language-code.ts";
import { recognizerModel } from "../../model-choice.ts";

const turnDetection = z.object({
  type: z.string().optional(),
  silence_duration_ms: z.number().nullish(),
  eagerness: z.string().nullish(),
});
const session = z.object({
  audio: z
    .object({
      input: z
        .object({
          format: z.object({ type: z.string(), rate: z.number().nullish() }).nullish(),
          transcription: z.object({ model: z.string().nullish(), language: z.string().nullish() }).nullish(),
          turn_detection: turnDetection.nullable().optional(),
        })
        .optional(),
    })
    .optional(),
});
/** What a session was asked to be. */
export type SessionSettings = z.output<typeof session>;

/** A message of a client. Fields that have no meaning here are left out. */
export const clientMessage = z.object({
  type: z.string().max(100),
  session: session.optional(),
  audio: z.string().optional(),
});

const FORMATS: Readonly<Record<string, { readonly format: string; readonly rate: number }>> = {
  "audio/pcm": { format: "pcm", rate: 24_000 },
  "audio/pcmu": { format: "ulaw", rate: 8000 },
  "audio/pcma": { format: "alaw", rate: 8000 },
};
/** The silence in the middle of a sentence that a turn survives, by eagerness. */
const MIDDLE_MS: Readonly<Record<string, number>> = { low: 2000, high: 600 };

export function readSession({ audio }: SessionSettings, rules: AsrRules): ListenRequest {
  const { format, transcription, turn_detection: turn } = audio?.input ?? {};
  const type = format?.type ?? "audio/pcm";
  const known = FORMATS[type];
  if (known === undefined) {
    const allowed = `it must be one of ${Object.keys(FORMATS).join(", ")}`;
    throw apiError("invalid_value", { field: "session.audio.input.format", value: describeValue(type), allowed });
  }
  const model = recognizerModel(transcription?.model ?? "", rules.models);
  const body = {
    format: known.format,
    sample_rate: format?.rate ?? known.rate,
    language: languageCode(transcription?.language ?? undefined),
    ...turnOf(turn),
  };
  return parseListenRequest(model, body, rules);
}

function turnOf(turn: z.output<typeof turnDetection> | null | undefined): object {
  if (turn === null) return { end_of_turn: "client" };
  if (turn?.type === "semantic_vad")
    return { end_of_turn: "words", middle_ms: MIDDLE_MS[turn.eagerness ?? ""] ?? 1000 };
  return { end_of_turn: "silence", silence_ms: Math.max(150, turn?.silence_duration_ms ?? 500) };
}
