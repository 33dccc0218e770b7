import { createFieldCollector, parseNewVoice, parseVoiceChange, VOICE_LIMITS } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import type { ActiveRequests } from "../../../http/active-requests.ts";
import { type AdmissionParts, admit } from "../../../http/admission.ts";
import { authenticate, callerOf } from "../../../http/authenticate.ts";
import { parseJson } from "../../../http/body-parsers.ts";
import { payerOf } from "../../../http/charging.ts";
import { abortOnDisconnect } from "../../../http/disconnect.ts";
import type { Identify } from "../../../http/identify.ts";
import { acceptUploads, isUpload, receiveUpload } from "../../../http/uploads/receive-upload.ts";
import type { Upload, UploadRules, UploadTimeouts } from "../../../http/uploads/upload-rules.ts";
import { documented } from "../../../openapi/route-docs.ts";
import type { UploadFolder } from "../../../services/uploads/upload-folder.ts";
import type { Covers } from "../../../services/voices/covers.ts";
import type { VoiceCreation } from "../../../services/voices/creation.ts";
import type { Voices } from "../../../services/voices/voices.ts";
import { baseOf, voiceIdOf } from "./catalog.ts";
import { MODEL_DOCS } from "./docs.ts";
import { toModel } from "./records.ts";

export interface ModelEditParts {
  readonly voices: Voices;
  readonly creation: VoiceCreation;
  readonly covers: Covers;
  readonly uploads: UploadFolder;
  readonly admission: AdmissionParts;
  readonly identify: Identify;
  readonly activeRequests: ActiveRequests;
  readonly timeouts: UploadTimeouts;
  readonly publicUrl: string | undefined;
}

const COVER = { maxFiles: 1, maxBytes: VOICE_LIMITS.coverBytes, label: "picture", acceptsEncoded: true };
const RECORDINGS = {
  maxFiles: VOICE_LIMITS.files,
  maxBytes: VOICE_LIMITS.fileBytes,
  required: true,
  label: "recording",
  acceptsEncoded: true,
};
/** The fields besides the files, and what the encoding adds. */
const OTHER_BYTES = 2 * 1024 * 1024;
const FIELDS = { maxFieldBytes: 64 * 1024, maxFieldsBytes: OTHER_BYTES };

const CREATE: UploadRules = {
  ...FIELDS,
  files: { voices: RECORDINGS, cover_image: COVER },
  maxBodyBytes: VOICE_LIMITS.files * VOICE_LIMITS.fileBytes + VOICE_LIMITS.coverBytes + OTHER_BYTES,
  maxMessagePackBytes: VOICE_LIMITS.messagePackBytes,
  maxJsonBytes: VOICE_LIMITS.jsonBytes,
};
const CHANGE: UploadRules = {
  ...FIELDS,
  files: { cover_image: COVER },
  maxBodyBytes: VOICE_LIMITS.coverBytes + OTHER_BYTES,
};

/** The routes that create and change a voice. Their files are written to disk. */
export function modelEditRoutes(app: FastifyInstance, parts: ModelEditParts): void {
  app.register((scope) => createRoute(scope, parts));
  app.register((scope) => changeRoute(scope, parts));
}

async function createRoute(scope: FastifyInstance, parts: ModelEditParts): Promise<void> {
  admit(scope, parts.admission);
  await acceptUploads(scope, { json: true });
  const base = baseOf(parts.publicUrl);
  const config = { slowBody: true, accepts: "multipart/form-data, application/msgpack or application/json" };
  scope.post("/model", documented(MODEL_DOCS.create, { config }), async (request, reply) => {
    const caller = payerOf(request);
    const { signal } = abortOnDisconnect(reply, parts.activeRequests);
    const upload = await receiveUpload(request, parts.uploads, CREATE, parts.timeouts);
    try {
      const { voices = [], cover_image: [picture] = [] } = upload.files;
      const newVoice = parseNewVoice(upload.fields, upload.issues, voices.length);
      const cover = picture === undefined ? undefined : await parts.covers.read(picture.path, signal);
      const recordings = voices.map((file) => file.path);
      const voice = await parts.creation.create(caller, { request: newVoice, recordings, cover }, signal);
      return reply.code(201).send(toModel(await parts.voices.view(caller, voice), base(request)));
    } finally {
      await upload.remove();
    }
  });
}

async function changeRoute(scope: FastifyInstance, parts: ModelEditParts): Promise<void> {
  authenticate(scope, parts.identify);
  await acceptUploads(scope);
  scope.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) =>
    parseJson(body),
  );
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, body: string) => parseUrlEncoded(body),
  );
  const base = baseOf(parts.publicUrl);
  const accepts = "application/json, application/x-www-form-urlencoded, multipart/form-data or application/msgpack";
  const options = documented(MODEL_DOCS.change, { config: { slowBody: true, accepts } });
  scope.patch("/model/:id", options, async (request, reply) => {
    const caller = callerOf(request);
    const { signal } = abortOnDisconnect(reply, parts.activeRequests);
    // A picture is work like any other request's; a change of text alone is not.
    const slot = isUpload(request) ? await parts.admission.limits.acquire(caller, signal) : undefined;
    reply.headers(slot?.headers ?? {});
    let upload: Upload | undefined;
    try {
      if (slot !== undefined) upload = await receiveUpload(request, parts.uploads, CHANGE, parts.timeouts);
      const change = parseVoiceChange(upload?.fields ?? request.body ?? {}, upload?.issues ?? []);
      const [picture] = upload?.files.cover_image ?? [];
      // Before a picture is worked on: whose voice it is.
      await parts.voices.assertEditable(caller, voiceIdOf(request));
      const cover = picture === undefined ? undefined : await parts.covers.read(picture.path, signal);
      return toModel(await parts.voices.update(caller, voiceIdOf(request), change, cover, signal), base(request));
    } finally {
      await Promise.all([upload?.remove(), slot?.release()]);
    }
  });
}

function parseUrlEncoded(body: string): Readonly<Record<string, unknown>> {
  const { add, fields } = createFieldCollector("body");
  for (const [name, value] of new URLSearchParams(body)) add(name, value);
  return fields;
}
