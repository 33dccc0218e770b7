import { z } from "zod";
import { apiError, describeValue, type ValidationIssue } from "../wire/api-error.ts";
import { createFieldCollector } from "../wire/form-fields.ts";
import { countCharacters } from "../wire/limits.ts";
import { isRecord, parseShape, withoutAbsent } from "../wire/shape.ts";
import { VISIBILITIES, type Visibility, VOICE_LIMITS, VOICE_ORDERS, type VoiceOrder } from "./voice-models.ts";

/** A query of the voice catalog. */
export interface VoiceListRequest {
  readonly title: string | undefined;
  /** A voice must have all of them. */
  readonly tags: readonly string[];
  /** A voice must have any of them. */
  readonly languages: readonly string[];
  /** Only the caller's own voices. */
  readonly self: boolean;
  readonly authorId: string | undefined;
  readonly order: VoiceOrder;
  readonly pageSize: number;
  /** From 1. */
  readonly pageNumber: number;
}

const MAX_VALUES = 20;
const MAX_CHARACTERS = 200;

const text = () => z.string().max(MAX_CHARACTERS, { error: `At most ${MAX_CHARACTERS} characters` });
const many = () =>
  z
    .union([text(), z.array(text()).max(MAX_VALUES)], { error: "Expected a string or several" })
    .transform((value) => [value].flat().filter((each) => each !== ""))
    .optional();
const whole = (fallback: number, max: number) =>
  z
    .string()
    .refine((value) => /^\d{1,7}$/.test(value) && Number(value) >= 1 && Number(value) <= max, {
      error: `Expected an integer from 1 to ${max}`,
    })
    .transform(Number)
    .optional()
    .meta({ type: "integer", minimum: 1, maximum: max, default: fallback });
const flag = () =>
  z
    .string()
    .refine((value) => /^(true|false|1|0)$/i.test(value), { error: "Expected true or false" })
    .transform((value) => /^(true|1)$/i.test(value))
    .optional()
    .meta({ type: "boolean" });

export const voiceListQuery = z.object({
  page_size: whole(10, 100).meta({ description: "Voices in a page." }),
  page_number: whole(1, 1_000_000).meta({ description: "From 1." }),
  title: text().optional().meta({ description: "Part of the title, case-insensitive." }),
  tag: many()
    .transform((values) => values?.flatMap((each) => each.split(",")).map((each) => each.trim()))
    .refine((values) => (values?.length ?? 0) <= MAX_VALUES, { error: `At most ${MAX_VALUES} tags` })
    .meta({ description: "May be repeated, or one string with commas: a voice must have all of them." }),
  language: many().meta({
    description: "Such as `en`, or `en-GB` for stock voices. May be repeated: a voice must have any of them.",
  }),
  title_language: many().meta({ description: "The same as `language`." }),
  self: flag().meta({ description: "`true`: only the caller's own voices, of every visibility." }),
  author_id: text().optional().meta({ description: "The voices of one account, or of `system`." }),
  sort_by: z
    .string()
    .refine((value) => VOICE_ORDERS.some((order) => order === value), {
      error: `Expected one of ${VOICE_ORDERS.join(", ")}`,
    })
    .optional()
    .meta({
      enum: [...VOICE_ORDERS],
      default: "score",
      description:
        "`score`: by likes, then uses, then the order of the catalog; `task_count`: by uses; `created_at`: the newest first.",
    }),
});

/** Throws the 422 that lists every parameter with the wrong shape. Repeated ones may also be written `tag[]=a&tag[]=b`. */
export function parseVoiceQuery(query: unknown): VoiceListRequest {
  const given = parseShape(voiceListQuery, withoutAbsent(withPlainNames(query)), "query");
  return {
    title: given.title,
    tags: (given.tag ?? []).filter((tag) => tag !== ""),
    languages: [...(given.language ?? []), ...(given.title_language ?? [])],
    self: given.self ?? false,
    authorId: given.author_id,
    order: VOICE_ORDERS.find((order) => order === given.sort_by) ?? "score",
    pageSize: given.page_size ?? 10,
    pageNumber: given.page_number ?? 1,
  };
}

function withPlainNames(query: unknown): unknown {
  if (!isRecord(query)) return query;
  const { add, fields } = createFieldCollector("query");
  for (const [name, value] of Object.entries(query)) for (const each of [value].flat()) add(name, String(each));
  return fields;
}

const strings = () =>
  z
    .union([z.string(), z.array(z.string())], { error: "Expected a string or an array of strings" })
    .transform((value) => [value].flat())
    .optional();

/** In forms everything is a string. */
const bool = () =>
  z
    .union([z.boolean(), z.string()], { error: "Expected true or false" })
    .refine((value) => typeof value === "boolean" || /^(true|false|1|0)$/i.test(value), {
      error: "Expected true or false",
    })
    .transform((value) => value === true || (typeof value === "string" && /^(true|1)$/i.test(value)))
    .optional()
    .meta({ type: "boolean" });

const title = () => z.string().meta({ maxLength: VOICE_LIMITS.titleCharacters, description: "The name of the voice." });
const voiceText = {
  description: z
    .string()
    .optional()
    .meta({ maxLength: VOICE_LIMITS.descriptionCharacters, description: "Anything about the voice." }),
  tags: strings().meta({
    description: `Repeated, an array, or one string with commas. At most ${VOICE_LIMITS.tags}.`,
  }),
  visibility: z
    .string()
    .optional()
    .meta({ enum: [...VISIBILITIES, "unlisted"], description: "`unlisted` is an alias of `unlist`." }),
};

export const newVoiceFields = z.object({
  title: title(),
  ...voiceText,
  texts: strings().meta({
    description:
      "What is said in the recordings: one text for each, in the same order. The server transcribes the recordings when there are fewer texts than recordings.",
  }),
  type: z
    .string()
    .optional()
    .meta({ enum: ["tts"], description: "Only `tts`." }),
  train_mode: z
    .string()
    .optional()
    .meta({ enum: ["fast"], description: "Only `fast`." }),
  enhance_audio_quality: bool().meta({
    default: false,
    description: "Removes noise from the recordings first.",
  }),
  consent: z
    .string()
    .optional()
    .meta({ description: "Who agreed that this voice may be made. Stored with the voice." }),
});

export const voiceChangeFields = z.object({
  title: title().optional(),
  ...voiceText,
  refinement: z
    .string()
    .optional()
    .meta({ enum: ["waiting"], description: "Starts a refinement that has failed again. No effect on other voices." }),
});

/** A voice to create, with valid values. */
export interface NewVoiceRequest {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly visibility: Visibility;
  readonly texts: readonly string[];
  readonly enhance: boolean;
  readonly consent: string;
}

export interface VoiceChangeRequest {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly visibility?: Visibility | undefined;
  /** Start it again. */
  readonly refinement?: "waiting" | undefined;
}

/** Shape first (422 with everything that is wrong, `issues` among it), then values (400, the first one). */
export function parseNewVoice(
  fields: unknown,
  issues: readonly ValidationIssue[],
  recordings: number,
): NewVoiceRequest {
  const given = parseShape(newVoiceFields, withoutAbsent(fields), "body", issues);
  const request = {
    title: checkTitle(given.title),
    description: checkDescription(given.description ?? ""),
    tags: checkTags(given.tags ?? []),
    visibility: checkVisibility(given.visibility ?? "private"),
    texts: given.texts ?? [],
    enhance: given.enhance_audio_quality ?? false,
    consent: checkProse(given.consent ?? "", "consent", VOICE_LIMITS.descriptionCharacters),
  };
  if ((given.type ?? "tts") !== "tts") throw invalid("type", given.type, "it must be tts");
  if ((given.train_mode ?? "fast") !== "fast") throw invalid("train_mode", given.train_mode, "it must be fast");
  if (request.texts.length > recordings) {
    throw invalid("texts", `${request.texts.length} texts`, `there are only ${recordings} recordings`);
  }
  for (const each of request.texts) checkProse(each, "texts", VOICE_LIMITS.textCharacters);
  return request;
}

export function parseVoiceChange(fields: unknown, issues: readonly ValidationIssue[]): VoiceChangeRequest {
  // An empty description is valid: it removes the description.
  const given = parseShape(voiceChangeFields, withoutAbsent(fields, ["description"]), "body", issues);
  return {
    title: given.title === undefined ? undefined : checkTitle(given.title),
    description: given.description === undefined ? undefined : checkDescription(given.description),
    tags: given.tags === undefined ? undefined : checkTags(given.tags),
    visibility: given.visibility === undefined ? undefined : checkVisibility(given.visibility),
    refinement: given.refinement === undefined ? undefined : checkRefinement(given.refinement),
  };
}

function checkRefinement(value: string): "waiting" {
  if (value === "waiting") return value;
  throw invalid("refinement", value, "it must be waiting");
}

function checkTitle(value: string): string {
  const title = value.trim();
  const max = VOICE_LIMITS.titleCharacters;
  if (title !== "" && countCharacters(title) <= max && isPrintable(title)) return title;
  throw invalid("title", value, `it must have 1 to ${max} characters, none of them a control character`);
}

function checkDescription(value: string): string {
  return checkProse(value, "description", VOICE_LIMITS.descriptionCharacters);
}

function checkProse(value: string, field: string, max: number): string {
  if (countCharacters(value) <= max && isPrintable(value.replace(/[\t\r\n]/g, " "))) return value;
  throw invalid(field, value, `it may have ${max} characters, and no control characters but ends of lines`);
}

function checkTags(given: readonly string[]): readonly string[] {
  const tags = given.flatMap((each) => each.split(",")).map((each) => each.trim());
  const unique = [...new Set(tags.filter((tag) => tag !== ""))];
  if (unique.length > VOICE_LIMITS.tags) {
    throw invalid("tags", `${unique.length} tags`, `at most ${VOICE_LIMITS.tags} are allowed`);
  }
  const wrong = unique.find((tag) => countCharacters(tag) > VOICE_LIMITS.tagCharacters || !isPrintable(tag));
  if (wrong === undefined) return unique;
  throw invalid("tags", wrong, `a tag has at most ${VOICE_LIMITS.tagCharacters} characters, none of them a control`);
}

function checkVisibility(value: string): Visibility {
  const wanted = value === "unlisted" ? "unlist" : value;
  const known = VISIBILITIES.find((each) => each === wanted);
  if (known !== undefined) return known;
  throw invalid("visibility", value, `it must be one of ${VISIBILITIES.join(", ")}`);
}

/** No line breaks, and no characters that hide text or reverse its direction. */
function isPrintable(value: string): boolean {
  return !/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(value);
}

function invalid(field: string, value: unknown, allowed: string) {
  return apiError("invalid_value", { field, value: describeValue(value), allowed });
}
