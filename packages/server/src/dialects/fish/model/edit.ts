import multipart from "@fastify/multipart";
import { parseNewVoice, parseVoiceChange, VOICE_LIMITS } from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ActiveRequests } from "../../../http/active-requests.ts";
import { type AdmissionParts, admit } from "../../../http/admission.ts";
import { authenticate, callerOf } from "../../../http/authenticate.ts";
import { MESSAGE_PACK_TYPES, parseJson } from "../../../http/body-parsers.ts";
import { abortOnDisconnect } from "../../../http/disconnect.ts";
import type { Identify } from "../../../http/identify.ts";
import type { UploadTimeouts } from "../../../http/uploads/receive.ts";
import { type FormRules, receiveForm } from "../../../http/uploads/receive-form.ts";
import type { UploadFolder } from "../../../services/speech/upload-folder.ts";
import { readCover } from "../../../services/voices/covers.ts";
import type { VoiceCreation } from "../../../services/voices/creation.ts";
import type { Voices } from "../../../services/voices/voices.ts";
import { baseOf, voiceIdOf } from "./catalog.ts";
import { toModel } from "./records.ts";

export interface ModelEditParts {
  readonly voices: Voices;
  readonly creation: VoiceCreation;
  readonly uploads: UploadFolder;
  readonly admission: AdmissionParts;
  readonly identify: Identify;
  readonly activeRequests: ActiveRequests;
  readonly timeouts: UploadTimeouts;
  readonly publicUrl: string | undefined;
}

const COVER = { most: 1, bytes: VOICE_LIMITS.coverBytes };
const MIB = 1024 * 1024;
/** What may be said besides the files, and what the encoding adds. */
const ROOM = 2 * MIB;

const CREATE: Omit<FormRules, keyof UploadTimeouts> = {
  files: { voices: { most: VOICE_LIMITS.files, bytes: VOICE_LIMITS.fileBytes }, cover_image: COVER },
  mostBodyBytes: VOICE_LIMITS.files * VOICE_LIMITS.fileBytes + VOICE_LIMITS.coverBytes + ROOM,
  mostMessagePackBytes: VOICE_LIMITS.messagePackBytes,
};
const CHANGE: Omit<FormRules, keyof UploadTimeouts> = {
  files: { cover_image: COVER },
  mostBodyBytes: VOICE_LIMITS.coverBytes + ROOM,
  mostMessagePackBytes: VOICE_LIMITS.coverBytes + ROOM,
};

/** What makes a voice, and what changes one: bodies with files, which go to disk. */
export function modelEditRoutes(app: FastifyInstance, parts: ModelEditParts): void {
  app.register((scope) => createRoute(scope, parts));
  app.register((scope) => changeRoute(scope, parts));
}

async function createRoute(scope: FastifyInstance, parts: ModelEditParts): Promise<void> {
  admit(scope, parts.admission);
  await takeForms(scope);
  const base = baseOf(parts.publicUrl);
  const config = { slowBody: true, accepts: "multipart/form-data or application/msgpack" };
  scope.post("/model", { config }, async (request, reply) => {
    const { caller } = request;
    if (caller === undefined) throw new Error("the route is not behind admit");
    const { signal } = abortOnDisconnect(reply, parts.activeRequests);
    const form = await receiveForm(request, parts.uploads, { ...CREATE, ...parts.timeouts });
    try {
      const { voices = [], cover_image: [picture] = [] } = form.files;
      const missing = { loc: ["voices"], type: "missing", msg: "Field required", in: "body" } as const;
      const issues = voices.length === 0 && form.issues.length === 0 ? [missing] : form.issues;
      const wanted = parseNewVoice(form.fields, issues, voices.length);
      const cover = picture === undefined ? undefined : await readCover(picture.path, signal);
      const recordings = voices.map((file) => file.path);
      const voice = await parts.creation.create(caller, { request: wanted, recordings, cover }, signal);
      return reply.code(201).send(toModel(await parts.voices.view(caller, voice), base(request)));
    } finally {
      await form.remove();
    }
  });
}

async function changeRoute(scope: FastifyInstance, parts: ModelEditParts): Promise<void> {
  authenticate(scope, parts.identify);
  await takeForms(scope);
  scope.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) =>
    parseJson(body),
  );
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, body: string) => fieldsOf(body),
  );
  const base = baseOf(parts.publicUrl);
  const accepts = "application/json, application/x-www-form-urlencoded, multipart/form-data or application/msgpack";
  scope.patch("/model/:id", { config: { slowBody: true, accepts } }, async (request, reply) => {
    const caller = callerOf(request);
    const { signal } = abortOnDisconnect(reply, parts.activeRequests);
    const form = isForm(request)
      ? await receiveForm(request, parts.uploads, { ...CHANGE, ...parts.timeouts })
      : undefined;
    try {
      const change = parseVoiceChange(form?.fields ?? request.body ?? {}, form?.issues ?? []);
      const [picture] = form?.files.cover_image ?? [];
      // Before a picture is worked on: whose voice it is.
      await parts.voices.assertEditable(caller, voiceIdOf(request));
      const cover = picture === undefined ? undefined : await readCover(picture.path, signal);
      return toModel(await parts.voices.update(caller, voiceIdOf(request), change, cover), base(request));
    } finally {
      await form?.remove();
    }
  });
}

/** Multipart and MessagePack are read by the routes themselves. */
async function takeForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...MESSAGE_PACK_TYPES], (_request, _payload, done) => done(null));
  await scope.register(multipart);
}

function isForm(request: FastifyRequest): boolean {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return request.isMultipart() || MESSAGE_PACK_TYPES.includes(type);
}

function fieldsOf(body: string): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [key, value] of new URLSearchParams(body)) {
    const name = key.replace(/\[\d*\]$/, "");
    fields[name] = name in fields ? [fields[name], value].flat() : value;
  }
  return fields;
}
