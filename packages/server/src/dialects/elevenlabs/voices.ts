import { parseNewVoice, parseVoiceQuery, VOICE_LIMITS } from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { admit } from "../../http/admission.ts";
import { authenticate, callerOf } from "../../http/authenticate.ts";
import { payerOf } from "../../http/charging.ts";
import { abortOnDisconnect } from "../../http/disconnect.ts";
import { limitLargeBodies } from "../../http/large-bodies.ts";
import { parseQuery } from "../../http/request-input.ts";
import { acceptUploads, receiveUpload } from "../../http/uploads/receive-upload.ts";
import type { UploadRules } from "../../http/uploads/upload-rules.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { Caller } from "../../services/identity/keys.ts";
import type { VoiceView } from "../../services/voices/voices.ts";
import type { DialectParts } from "../dialect.ts";
import { VOICE_DOCS } from "./docs.ts";

const PAGE_SIZE = 100;
/** Voices that a list without pages may have. */
const MAX_LISTED = 1000;
const OTHER_BYTES = 256 * 1024;

const RECORDINGS: UploadRules = {
  files: {
    files: { maxFiles: VOICE_LIMITS.files, maxBytes: VOICE_LIMITS.fileBytes, required: true, label: "recording" },
  },
  maxBodyBytes: VOICE_LIMITS.files * VOICE_LIMITS.fileBytes + OTHER_BYTES,
  maxFieldBytes: 16 * 1024,
  maxFieldsBytes: OTHER_BYTES,
};

const voicePageQuery = z.object({
  page_size: z.coerce.number().int().min(1).max(PAGE_SIZE).default(10),
  next_page_token: z
    .string()
    .regex(/^\d{1,6}$/)
    .optional(),
  search: z.string().max(200).optional(),
});

/** The voices of the account and the stock voices: list, get, add and delete. */
export function voiceRoutes(http: FastifyInstance, parts: DialectParts): void {
  http.register(async (scope) => {
    authenticate(scope, parts.identify);
    limitLargeBodies(scope);
    scope.get("/v1/voices", documented(VOICE_DOCS.list), async (request) => {
      const voices: VoiceView[] = [];
      for (let page = 1, total = 1; voices.length < Math.min(total, MAX_LISTED); page += 1) {
        const found = await listPage(request, parts, { page, pageSize: PAGE_SIZE });
        if (found.views.length === 0) break;
        total = found.total;
        voices.push(...found.views);
      }
      return { voices: voices.map((view) => toVoice(view, callerOf(request).userId)) };
    });
    scope.get("/v2/voices", documented(VOICE_DOCS.search), async (request) => {
      const { page_size: pageSize, next_page_token: token, search } = parseQuery(voicePageQuery, request);
      const page = Math.max(1, Number(token ?? 1));
      const { views, total } = await listPage(request, parts, { page, pageSize, search });
      const hasMore = page * pageSize < total;
      return {
        voices: views.map((view) => toVoice(view, callerOf(request).userId)),
        has_more: hasMore,
        total_count: total,
        next_page_token: hasMore ? String(page + 1) : null,
      };
    });
    scope.get("/v1/voices/:voice_id", documented(VOICE_DOCS.get), async (request) => {
      return describeVoice(callerOf(request), voiceIdOf(request), parts);
    });
    scope.delete("/v1/voices/:voice_id", documented(VOICE_DOCS.remove), async (request) => {
      await parts.voices.remove(callerOf(request), voiceIdOf(request));
      return { status: "ok" };
    });
  });
  http.register((scope) => addRoute(scope, parts));
}

async function addRoute(scope: FastifyInstance, parts: DialectParts): Promise<void> {
  admit(scope, parts.admission);
  await acceptUploads(scope);
  const config = { slowBody: true, accepts: "multipart/form-data" };
  scope.post("/v1/voices/add", documented(VOICE_DOCS.add, { config }), async (request, reply) => {
    const caller = payerOf(request);
    const { signal } = abortOnDisconnect(reply, parts.activeRequests);
    const upload = await receiveUpload(request, parts.uploads, RECORDINGS, parts.uploadTimeouts);
    try {
      const { files: recordings = [] } = upload.files;
      const { name, description, remove_background_noise: enhance } = upload.fields;
      const fields = { title: name, description, enhance_audio_quality: enhance };
      const newVoice = parseNewVoice(fields, upload.issues, recordings.length);
      const paths = recordings.map((file) => file.path);
      const voice = await parts.creation.create(
        caller,
        { request: newVoice, recordings: paths, cover: undefined },
        signal,
      );
      return { voice_id: voice.id, requires_verification: false };
    } finally {
      await upload.remove();
    }
  });
}

interface Page {
  readonly page: number;
  readonly pageSize: number;
  readonly search?: string | undefined;
}

function listPage(request: FastifyRequest, { voices }: DialectParts, { page, pageSize, search }: Page) {
  return voices.list(callerOf(request), { ...parseVoiceQuery({}), title: search, pageSize, pageNumber: page });
}

/** An id of another server is described by the voice that speaks for it, and stays the id that the program knows. */
async function describeVoice(caller: Caller, id: string, { voices }: DialectParts) {
  try {
    return toVoice(await voices.find(caller, id), caller.userId);
  } catch (error) {
    const standIn = await voices.resolve(caller, id).catch(() => undefined);
    if (standIn === undefined) throw error;
    return { ...toVoice(await voices.find(caller, standIn.id), caller.userId), voice_id: id };
  }
}

function voiceIdOf({ params }: FastifyRequest): string {
  return (params as { readonly voice_id: string }).voice_id;
}

function toVoice({ voice }: VoiceView, userId: string) {
  const isStock = voice.userId === null;
  return {
    voice_id: voice.id,
    name: voice.title,
    category: isStock ? "premade" : "cloned",
    description: voice.description,
    labels: { language: voice.languages[0] ?? "en" },
    samples: null,
    preview_url: null,
    settings: null,
    available_for_tiers: [],
    high_quality_base_model_ids: [],
    verified_languages: [],
    is_owner: voice.userId === userId,
    is_legacy: false,
    is_mixed: false,
    created_at_unix: Math.floor(Date.parse(voice.createdAt) / 1000),
  };
}
