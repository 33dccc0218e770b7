import { type AsrRules, type ListenFormat, type ListenRequest, parseListenRequest } from "@parlance/protocol";
import { z } from "zod";
import { languageCode } from "../../language-code.ts";
import { recognizerModel } from "../../model-choice.ts";
import { invalid } from "../values.ts";

const turnDetection = z.object({
  type: z.string().max(100).optional(),
  silence_duration_ms: z.number().nullish(),
  eagerness: z.string().max(100).nullish(),
  create_response: z.boolean().nullish(),
  interrupt_response: z.boolean().nullish(),
});
export const audioFormat = z.object({ type: z.string().max(100), rate: z.number().nullish() }).nullish();
const name = z.string().max(100).nullish();
/** `audio.input` of a session. Fields that have no meaning here are left out. */
export const audioInput = z.object({
  format: audioFormat,
  transcription: z.object({ model: name, language: name }).nullish(),
  turn_detection: turnDetection.nullable().optional(),
});
const session = z.object({ audio: z.object({ input: audioInput.optional() }).optional() });
/** What a session was asked to be. */
export type SessionSettings = z.output<typeof session>;

/** A message of a client. Fields that have no meaning here are left out. */
export const clientMessage = z.object({
  type: z.string().max(100),
  session: session.optional(),
  audio: z.string().optional(),
});

const FORMATS: Readonly<Record<string, { readonly format: ListenFormat; readonly rate: number }>> = {
  "audio/pcm": { format: "pcm", rate: 24_000 },
  "audio/pcmu": { format: "ulaw", rate: 8000 },
  "audio/pcma": { format: "alaw", rate: 8000 },
};
/** The silence in the middle of a sentence that a turn survives, by eagerness. */
const MIDDLE_MS: Readonly<Record<string, number>> = { low: 2000, high: 600 };

/** How audio of a format is encoded. `field` is named in the error for an unknown one. */
export function readFormat(format: z.output<typeof audioFormat>, field: string) {
  const type = format?.type ?? "audio/pcm";
  const known = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined;
  if (known === undefined) throw invalid(field, type, `it must be one of ${Object.keys(FORMATS).join(", ")}`);
  return known;
}

export function bytesPerSecond({ format, sampleRate }: Pick<ListenRequest, "format" | "sampleRate">): number {
  return sampleRate * (format === "pcm" ? 2 : 1);
}

export function readSession({ audio }: SessionSettings, rules: AsrRules): ListenRequest {
  const { format, transcription, turn_detection: turn } = audio?.input ?? {};
  const known = readFormat(format, "session.audio.input.format");
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
  if (turn?.type === "semantic_vad") return { end_of_turn: "words", middle_ms: MIDDLE_MS[turn.eagerness ?? ""] };
  return { end_of_turn: "silence", silence_ms: Math.max(150, turn?.silence_duration_ms ?? 500) };
}
