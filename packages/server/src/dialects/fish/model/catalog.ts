import { apiError, parseVoiceQuery } from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ActiveRequests } from "../../../http/active-requests.ts";
import { authenticate, authenticateIfGiven, callerOf } from "../../../http/authenticate.ts";
import { abortOnDisconnect } from "../../../http/disconnect.ts";
import type { Identified, Identify } from "../../../http/identify.ts";
import { type FileResponse, sendFile } from "../../../http/send-file.ts";
import { documented } from "../../../openapi/route-docs.ts";
import type { VoiceSamples } from "../../../services/voices/samples.ts";
import type { Voices, VoiceView } from "../../../services/voices/voices.ts";
import { MODEL_DOCS } from "./docs.ts";
import { toModel } from "./records.ts";

export interface CatalogParts {
  readonly voices: Voices;
  readonly samples: VoiceSamples;
  /** The picture of a voice, where it has one. */
  readonly coverOf: (voiceId: string, signal: AbortSignal) => Promise<FileResponse | undefined>;
  readonly identify: Identify;
  readonly activeRequests: ActiveRequests;
  readonly publicUrl: string | undefined;
  /** Whether public voices can be read without a key. */
  readonly isPublic: boolean;
}

/** The catalog of voices: /model. The routes that create and change a voice are in `edit.ts`. */
export function catalogRoutes(app: FastifyInstance, parts: CatalogParts): void {
  const { voices, samples, coverOf, identify, activeRequests } = parts;
  const base = baseOf(parts.publicUrl);
  app.register(async (scope) => {
    if (parts.isPublic) authenticateIfGiven(scope, identify);
    else authenticate(scope, identify);
    const findVoice = async (request: FastifyRequest): Promise<VoiceView> => {
      const view = await voices.find(viewerOf(request), voiceIdOf(request));
      if (request.identified === undefined && view.voice.visibility !== "public") throw apiError("voice_not_found", {});
      return view;
    };

    scope.get("/model", documented(MODEL_DOCS.list), async (request) => {
      const query = parseVoiceQuery(request.query);
      const { total, views } = await voices.list(viewerOf(request), query);
      const reached = (query.pageNumber - 1) * query.pageSize + views.length;
      return {
        total,
        items: views.map((view) => toModel(view, base(request))),
        has_more: views.length > 0 && reached < total,
      };
    });
    scope.get("/model/:id", documented(MODEL_DOCS.get), async (request) =>
      toModel(await findVoice(request), base(request)),
    );
    scope.get("/model/:id/sample.mp3", documented(MODEL_DOCS.sample), async (request, reply) => {
      const { voice } = await findVoice(request);
      const { signal } = abortOnDisconnect(reply, activeRequests);
      return sendFile(request, reply, await samples.get(voice, signal));
    });
    scope.get("/model/:id/cover", documented(MODEL_DOCS.cover), async (request, reply) => {
      const { voice } = await findVoice(request);
      const { signal } = abortOnDisconnect(reply, activeRequests);
      const cover = voice.cover === "" ? undefined : await coverOf(voice.id, signal);
      if (cover === undefined) throw apiError("voice_not_found", {});
      return sendFile(request, reply, cover);
    });
  });
  app.register(async (scope) => {
    authenticate(scope, identify);

    scope.delete("/model/:id", documented(MODEL_DOCS.remove), async (request, reply) => {
      await voices.remove(callerOf(request), voiceIdOf(request));
      return reply.code(204).send();
    });
    scope.put("/model/:id/like", documented(MODEL_DOCS.like), async (request) =>
      toModel(await voices.setLiked(callerOf(request), voiceIdOf(request), true), base(request)),
    );
    scope.delete("/model/:id/like", documented(MODEL_DOCS.unlike), async (request) =>
      toModel(await voices.setLiked(callerOf(request), voiceIdOf(request), false), base(request)),
    );
  });
}

/** The caller, or one without an account, who sees public voices only. */
function viewerOf({ identified }: FastifyRequest): Pick<Identified, "userId" | "role"> {
  return identified ?? { userId: "", role: "member" };
}

/** Not validated: an unknown id is not found. */
export function voiceIdOf({ params }: FastifyRequest): string {
  return String((params as { readonly id?: unknown }).id);
}

/** The address under which this caller reaches the server. */
export function baseOf(publicUrl: string | undefined): (request: FastifyRequest) => string {
  return (request) => publicUrl ?? `${request.protocol}://${request.host}`;
}
