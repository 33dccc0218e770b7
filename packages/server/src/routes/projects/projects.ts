import {
  apiError,
  FORMAT_RULES,
  LIMITS,
  newProjectBody,
  PROJECT_LIMITS,
  type ProjectFormat,
  type ProjectProgress,
  type ProjectRecord,
  type ProjectSummary,
  parseShape,
  projectChangeBody,
  projectExportQuery,
  projectFileName,
  projectQuery,
  projectSubtitlesQuery,
  speakProjectBody,
} from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ActiveRequests } from "../../http/active-requests.ts";
import { authenticate, callerOf } from "../../http/authenticate.ts";
import { widenJsonBounds } from "../../http/body-parsers.ts";
import { abortOnDisconnect } from "../../http/disconnect.ts";
import type { Identify } from "../../http/identify.ts";
import { limitLargeBodies } from "../../http/large-bodies.ts";
import { parseBody, parseId, parseQuery } from "../../http/request-input.ts";
import { openResponseStream } from "../../http/response-stream.ts";
import { sendFile } from "../../http/send-file.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { ProjectExports } from "../../services/projects/project-exports.ts";
import { type ProgressView, type Projects, type ProjectView, totalBytes } from "../../services/projects/projects.ts";
import type { ProjectRow } from "../../stores/projects.ts";
import { PROJECT_DOCS } from "./docs.ts";

export interface ProjectRouteParts {
  readonly projects: Projects;
  readonly projectExports: ProjectExports;
  readonly identify: Identify;
  readonly activeRequests: ActiveRequests;
  readonly timeouts: { readonly engineTimeoutMs: number; readonly readerTimeoutMs: number };
}

const BODY = { bodyLimit: PROJECT_LIMITS.bodyBytes };
/** An audiobook is encoded before its first byte can be sent. */
const EXPORT_TIMEOUT_MS = 1_800_000;

/** Long texts: /projects. */
export function projectRoutes(app: FastifyInstance, parts: ProjectRouteParts): void {
  app.register(async (scope) => {
    authenticate(scope, parts.identify);
    widenJsonBounds(scope, { ...LIMITS.json, elements: PROJECT_LIMITS.bodyElements });
    limitLargeBodies(scope);
    recordRoutes(scope, parts.projects);
    fileRoutes(scope, parts);
  });
  app.register(async (scope) => {
    authenticate(scope, parts.identify);
    exportRoute(scope, parts);
  });
}

const idOf = (request: FastifyRequest): string => parseId(request, "unknown_project");

function recordRoutes(scope: FastifyInstance, projects: Projects): void {
  scope.get("/projects", documented(PROJECT_DOCS.list), async (request) => {
    const { page_size: pageSize = 20, page_number: pageNumber = 1 } = parseQuery(projectQuery, request);
    const { total, items } = await projects.list(callerOf(request).userId, { pageSize, pageNumber });
    return { total, items: items.map(toSummary), has_more: pageNumber * pageSize < total };
  });
  scope.post("/projects", documented(PROJECT_DOCS.create, BODY), async (request, reply) => {
    const input = parseBody(newProjectBody, request);
    return reply.code(201).send(toRecord(await projects.create(callerOf(request).userId, input)));
  });
  scope.get("/projects/:id", documented(PROJECT_DOCS.get), async (request) =>
    toRecord(await projects.find(callerOf(request).userId, idOf(request))),
  );
  scope.get("/projects/:id/progress", documented(PROJECT_DOCS.progress), async (request) =>
    toProgress(await projects.progress(callerOf(request).userId, idOf(request))),
  );
  scope.patch("/projects/:id", documented(PROJECT_DOCS.change, BODY), async (request) => {
    // "" is a value here: the default voice, and the language that is found.
    const change = parseShape(projectChangeBody, request.body ?? {}, "body");
    return toRecord(await projects.change(callerOf(request).userId, idOf(request), change));
  });
  scope.delete("/projects/:id", documented(PROJECT_DOCS.remove), async (request, reply) => {
    await projects.remove(callerOf(request).userId, idOf(request));
    return reply.code(204).send();
  });
  scope.post("/projects/:id/speak", documented(PROJECT_DOCS.speak), async (request, reply) => {
    const { chapter, paragraph } = parseBody(speakProjectBody, request);
    const place = chapter === undefined || paragraph === undefined ? undefined : { chapter, paragraph };
    return reply.code(202).send(toRecord(await projects.speak(callerOf(request).userId, idOf(request), place)));
  });
  scope.delete("/projects/:id/speak", documented(PROJECT_DOCS.stop), async (request) =>
    toRecord(await projects.stop(callerOf(request).userId, idOf(request))),
  );
}

function fileRoutes(scope: FastifyInstance, { projects, projectExports }: ProjectRouteParts): void {
  scope.get("/projects/:id/audio/:hash", documented(PROJECT_DOCS.audio), async (request, reply) => {
    const { hash } = request.params as { readonly hash?: unknown };
    if (typeof hash !== "string" || !/^[0-9a-f]{32}$/.test(hash)) throw apiError("unknown_project", {});
    const { bytes } = await projects.audio(callerOf(request).userId, idOf(request), hash);
    return sendFile(request, reply, { bytes, type: "audio/ogg" });
  });
  scope.get("/projects/:id/subtitles", documented(PROJECT_DOCS.subtitles), async (request, reply) => {
    const { format, chapter } = parseQuery(projectSubtitlesQuery, request);
    const project = await projects.find(callerOf(request).userId, idOf(request));
    const type = format === "srt" ? "application/x-subrip" : "text/vtt";
    return reply
      .type(`${type}; charset=utf-8`)
      .header("content-disposition", attachment(projectFileName(project, chapter, format), format))
      .send(await projectExports.subtitles(project, format, chapter));
  });
}

/** It is streamed, and may take minutes. */
function exportRoute(scope: FastifyInstance, parts: ProjectRouteParts): void {
  const { projects, projectExports, activeRequests, timeouts } = parts;
  scope.get("/projects/:id/export", documented(PROJECT_DOCS.export), async (request, reply) => {
    const { format, chapter } = parseQuery(projectExportQuery, request);
    const project = await projects.find(callerOf(request).userId, idOf(request));
    const controller = abortOnDisconnect(reply, activeRequests);
    const audio = projectExports.audio(project, format, chapter, controller.signal);
    const limits = { ...timeouts, engineTimeoutMs: EXPORT_TIMEOUT_MS };
    const stream = await openResponseStream(audio, { controller, ...limits, onEnd: async () => {} });
    return reply
      .type(typeOf(format))
      .header("cache-control", "private, no-store")
      .header("content-disposition", attachment(projectFileName(project, chapter, format), format))
      .send(stream);
  });
}

/** The plain name is for programs that do not read the encoded one. */
function attachment(name: string, extension: string): string {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="project.${extension}"; filename*=UTF-8''${encoded}`;
}

const typeOf = (format: ProjectFormat): string => (format === "m4b" ? "audio/mp4" : FORMAT_RULES[format].contentType);

function toSummary(row: ProjectRow): ProjectSummary {
  return {
    _id: row.id,
    title: row.title,
    job: row.job,
    job_error: row.jobError,
    paragraphs: row.paragraphs,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

function toProgress(project: ProgressView): ProjectProgress {
  const { job, job_error, updated_at } = toSummary(project);
  const durations = Object.fromEntries([...project.audio].map(([hash, { durationMs }]) => [hash, durationMs / 1000]));
  return { job, job_error, updated_at, audio_bytes: totalBytes(project.audio), durations };
}

function toRecord(project: ProjectView): ProjectRecord {
  const all = project.chapters.flatMap(({ paragraphs }) => paragraphs);
  const { voice, language, speed, speakers, pronunciations } = project.settings;
  return {
    ...toSummary(project),
    ...{ voice, language, speed, speakers, pronunciations },
    spoken: all.filter(({ durationMs }) => durationMs !== undefined).length,
    audio_bytes: project.audioBytes,
    chapters: project.chapters.map((chapter) => ({
      title: chapter.title,
      paragraphs: chapter.paragraphs.map(({ hash, durationMs, ...paragraph }) => ({
        ...paragraph,
        audio: hash,
        duration: durationMs === undefined ? null : durationMs / 1000,
      })),
    })),
  };
}
