import type { ListenRequest } from "@parlance/protocol";
import { z } from "zod";
import { audioFormat, audioInput, readFormat } from "../live/session-settings.ts";
import { listedValue } from "../values.ts";
import { CONVERSATION_LIMITS } from "./limits.ts";
import { readTools, toolChoice, toolList } from "./tools.ts";

const text = z.string().max(CONVERSATION_LIMITS.itemCharacters);
const voice = z.union([z.string().max(200), z.object({ id: z.string().max(200) })]);
const audioOutput = z.object({ format: audioFormat, voice: voice.nullish(), speed: z.number().nullish() });

/** What a session and a response can both be given. Fields that have no meaning here are left out. */
const answerFields = {
  instructions: text.nullish(),
  output_modalities: z.array(z.string().max(20)).max(2).nullish(),
  tools: toolList.nullish(),
  tool_choice: toolChoice.nullish(),
  max_output_tokens: z.union([z.number().int().positive(), z.literal("inf")]).nullish(),
};

/** `session` of a `session.update`. What is left out stays as it is. */
export const sessionUpdate = z.object({
  ...answerFields,
  type: z.string().max(20).nullish(),
  model: z.string().max(200).nullish(),
  audio: z.object({ input: audioInput.partial().optional(), output: audioOutput.partial().optional() }).nullish(),
});

/** `response` of a `response.create`: fields that replace those of the session for one response. */
export const responseFields = z.object({
  ...answerFields,
  audio: z.object({ output: audioOutput.partial().optional() }).nullish(),
  conversation: z.string().max(20).nullish(),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((entries) => Object.keys(entries).length <= CONVERSATION_LIMITS.metadataEntries, "Too many entries")
    .nullish(),
});
export type ResponseFields = z.output<typeof responseFields>;

export type SessionConfig = z.output<typeof sessionUpdate>;

const DEFAULT_INSTRUCTIONS =
  "You are in a spoken conversation: what you write is read aloud. Answer in a few short sentences of plain text, without lists, headings or other formatting.";

export const DEFAULT_SESSION: SessionConfig = {
  type: "realtime",
  instructions: DEFAULT_INSTRUCTIONS,
  output_modalities: ["audio"],
  tools: [],
  tool_choice: "auto",
  max_output_tokens: "inf",
  audio: {
    input: {
      format: { type: "audio/pcm", rate: 24_000 },
      turn_detection: {
        type: "server_vad",
        silence_duration_ms: 500,
        create_response: true,
        interrupt_response: true,
      },
    },
    output: { format: { type: "audio/pcm", rate: 24_000 }, voice: "marin", speed: 1 },
  },
};

/** The session after an update. */
export function mergeSession(before: SessionConfig, update: SessionConfig): SessionConfig {
  return {
    ...before,
    ...given(update),
    audio: {
      // `null` for `turn_detection` and `transcription` switches them off.
      input: { ...before.audio?.input, ...withoutUndefined(update.audio?.input ?? {}) },
      output: { ...before.audio?.output, ...given(update.audio?.output ?? {}) },
    },
  };
}

/** How a response is given: the session's fields, and those of the response itself. */
export interface AnswerSettings extends ReturnType<typeof readTools> {
  readonly instructions: string;
  readonly isSpoken: boolean;
  readonly maxTokens: number | undefined;
  /** The request for speech, as one of the native API. */
  readonly speech: object;
  /** Bytes in a second of the audio that is sent. */
  readonly bytesPerSecond: number;
}

/** Throws the 400 for a value that is not allowed. */
export function readAnswer(session: SessionConfig, response: ResponseFields = {}): AnswerSettings {
  const merged = mergeSession(session, { ...answerPart(response), audio: { output: response.audio?.output } });
  const output = merged.audio?.output;
  const { format, rate } = readFormat(output?.format, "audio.output.format");
  const [modality] = (merged.output_modalities ?? []).includes("audio") ? ["audio"] : (merged.output_modalities ?? []);
  return {
    ...readTools(merged),
    instructions: merged.instructions ?? "",
    isSpoken: listedValue("output_modalities", modality, ["audio", "text"]) === "audio",
    maxTokens: typeof merged.max_output_tokens === "number" ? merged.max_output_tokens : undefined,
    speech: {
      text: "",
      reference_id: typeof output?.voice === "object" ? output.voice?.id : output?.voice,
      format,
      sample_rate: rate,
      prosody: { speed: output?.speed ?? undefined },
    },
    bytesPerSecond: rate * (format === "pcm" ? 2 : 1),
  };
}

function answerPart({ conversation: _, metadata: __, audio: ___, ...fields }: ResponseFields): SessionConfig {
  return fields;
}

/** Whether the server finds the ends of turns, and what it does about them. */
export function readTurns({ audio }: SessionConfig) {
  const turn = audio?.input?.turn_detection;
  return {
    isDetected: turn !== null,
    createsResponse: turn?.create_response !== false,
    interrupts: turn?.interrupt_response !== false,
  };
}

/** Words are shown while they are spoken only to clients that ask for a transcription. */
export function withPartials(request: ListenRequest, { audio }: SessionConfig): ListenRequest {
  return { ...request, partials: audio?.input?.transcription != null };
}

function given<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Partial<Fields>;
}

function withoutUndefined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}
