import {
  newProjectBody,
  PROJECT_LIMITS,
  projectChangeBody,
  projectExportQuery,
  projectPage,
  projectProgress,
  projectQuery,
  projectRecord,
  projectSubtitlesQuery,
  speakProjectBody,
} from "@parlance/protocol";
import type { RouteDocs } from "../../openapi/route-docs.ts";

const UNKNOWN = ["unknown_project"] as const;
/** Of routes that read the text. */
const TEXT = [...UNKNOWN, "overloaded"] as const;
const file = (description: string, types: readonly string[]) => ({
  200: { description, content: Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }])) },
});

export const PROJECT_DOCS = {
  list: { id: "listProjects", summary: "List projects", query: projectQuery, response: projectPage },
  create: {
    id: "createProject",
    summary: "Create a project for a long text",
    description: `A text or Markdown is divided into chapters and paragraphs. An account may have ${PROJECT_LIMITS.projects} projects.`,
    body: { name: "NewProject", schema: newProjectBody },
    response: projectRecord,
    status: 201,
    errors: ["too_many_projects", "overloaded"],
  },
  get: { id: "getProject", summary: "Get a project with its text", response: projectRecord, errors: TEXT },
  progress: {
    id: "getProjectProgress",
    summary: "Get how much of a project is spoken, without its text",
    response: projectProgress,
    errors: UNKNOWN,
  },
  change: {
    id: "changeProject",
    summary: "Change a project",
    description: "Paragraphs keep their audio as long as nothing changes that it was made from.",
    body: { name: "ProjectChange", schema: projectChangeBody },
    response: projectRecord,
    errors: TEXT,
  },
  remove: { id: "deleteProject", summary: "Delete a project with its audio", errors: UNKNOWN },
  speak: {
    id: "speakProject",
    summary: "Speak what has no audio yet, or one paragraph again",
    description:
      "In the background, with the limits and at the price of speech requests, after other requests. It continues after a restart of the server.",
    body: { name: "SpeakProject", schema: speakProjectBody },
    response: projectRecord,
    status: 202,
    errors: TEXT,
  },
  stop: { id: "stopProject", summary: "Stop speaking a project", response: projectRecord, errors: TEXT },
  audio: {
    id: "getProjectAudio",
    summary: "Get the audio of a paragraph",
    responses: file("The audio, as it is kept.", ["audio/ogg"]),
    errors: UNKNOWN,
  },
  export: {
    id: "exportProject",
    summary: "Get the audio of a project or of a chapter as one file",
    description: "It costs nothing. `m4b` has the chapters.",
    query: projectExportQuery,
    responses: file("The audio, chunked.", [
      "audio/mpeg",
      "audio/wav",
      "audio/flac",
      "audio/ogg",
      "audio/aac",
      "audio/mp4",
    ]),
    errors: [...TEXT, "project_incomplete"],
  },
  subtitles: {
    id: "getProjectSubtitles",
    summary: "Get the subtitles for an export",
    query: projectSubtitlesQuery,
    responses: file("The subtitles.", ["application/x-subrip", "text/vtt"]),
    errors: [...TEXT, "project_incomplete"],
  },
} as const satisfies Record<string, RouteDocs>;
