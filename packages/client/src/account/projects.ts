import {
  type NewProjectInput,
  type PageOf,
  type ProjectChange,
  type ProjectFormat,
  type ProjectProgress,
  type ProjectRecord,
  type ProjectSummary,
  projectPage,
  projectProgress,
  projectRecord,
  type SpeakProjectInput,
} from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";
import { queryOf } from "./admin.ts";

const nothing = { parse: (): void => {} };

/** Long texts that are spoken paragraph by paragraph. */
export interface Projects {
  /**
   * Lists projects, the ones changed last first, by page.
   *
   * @example
   * ```ts
   * const { items } = await client.projects.list();
   * for (const { _id, title, job } of items) console.log(_id, title, job);
   * ```
   */
  list(
    query?: { readonly page_size?: number; readonly page_number?: number },
    call?: CallOptions,
  ): Promise<PageOf<ProjectSummary>>;
  /**
   * Creates a project, from chapters or from a text, which is divided at its headings and empty lines.
   *
   * @example
   * ```ts
   * const { _id } = await client.projects.create({ title: "A story", text: "# One\n\nIt was late.", voice: "bf_emma" });
   * await client.projects.speak(_id);
   * ```
   */
  create(project: NewProjectInput, call?: CallOptions): Promise<ProjectRecord>;
  /**
   * Returns a project with its text, and which paragraphs have audio.
   *
   * @example
   * ```ts
   * const { spoken, paragraphs, job } = await client.projects.get("5d1e0f0c9b8a47d6b1c2d3e4f5a60718");
   * console.log(`${spoken} of ${paragraphs}`, job);
   * ```
   */
  get(id: string, call?: CallOptions): Promise<ProjectRecord>;
  /**
   * Returns how much of a project is spoken, without its text: for a program that waits until it is.
   *
   * @example
   * ```ts
   * const { job, durations } = await client.projects.progress("5d1e0f0c9b8a47d6b1c2d3e4f5a60718");
   * console.log(`${Object.keys(durations).length} paragraphs`, job);
   * ```
   */
  progress(id: string, call?: CallOptions): Promise<ProjectProgress>;
  /**
   * Changes a project. Paragraphs keep their audio as long as nothing changes that it was made from.
   *
   * @example
   * ```ts
   * await client.projects.update("5d1e0f0c9b8a47d6b1c2d3e4f5a60718", { pronunciations: { GIF: "jiff" } });
   * ```
   */
  update(id: string, change: ProjectChange, call?: CallOptions): Promise<ProjectRecord>;
  /**
   * Deletes a project with its audio.
   *
   * @example
   * ```ts
   * await client.projects.delete("5d1e0f0c9b8a47d6b1c2d3e4f5a60718");
   * ```
   */
  delete(id: string, call?: CallOptions): Promise<void>;
  /**
   * Speaks in the background what has no audio yet; with a place, that paragraph again.
   *
   * @example
   * ```ts
   * await client.projects.speak("5d1e0f0c9b8a47d6b1c2d3e4f5a60718", { chapter: 0, paragraph: 2 });
   * ```
   */
  speak(id: string, place?: SpeakProjectInput, call?: CallOptions): Promise<ProjectRecord>;
  /**
   * Stops speaking. What was spoken stays.
   *
   * @example
   * ```ts
   * await client.projects.stop("5d1e0f0c9b8a47d6b1c2d3e4f5a60718");
   * ```
   */
  stop(id: string, call?: CallOptions): Promise<ProjectRecord>;
  /** The audio of a paragraph (Ogg Opus), by its `audio`. */
  audio(id: string, audio: string, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The audio of the project, or of one chapter, as a file. It costs nothing.
   *
   * @example
   * ```ts
   * import { writeFile } from "node:fs/promises";
   *
   * await writeFile("story.m4b", await client.projects.export("5d1e0f0c9b8a47d6b1c2d3e4f5a60718", "m4b"));
   * ```
   */
  export(id: string, format: ProjectFormat, chapter?: number, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** The subtitles of such a file. */
  subtitles(id: string, format: "srt" | "vtt", chapter?: number, call?: CallOptions): Promise<string>;
}

export function createProjects({ json, send }: Connection): Projects {
  const at = (id: string) => `/projects/${encodeURIComponent(id)}`;
  const fetched = async (path: string, call: CallOptions): Promise<Uint8Array<ArrayBuffer>> => {
    const { response, done } = await send("GET", path, {}, call);
    try {
      return new Uint8Array(await response.arrayBuffer());
    } finally {
      done();
    }
  };
  return {
    list: (query = {}, call = {}) => json("GET", `/projects${queryOf(query)}`, projectPage, call),
    create: (project, call = {}) => json("POST", "/projects", projectRecord, call, project),
    get: (id, call = {}) => json("GET", at(id), projectRecord, call),
    progress: (id, call = {}) => json("GET", `${at(id)}/progress`, projectProgress, call),
    update: (id, change, call = {}) => json("PATCH", at(id), projectRecord, call, change),
    delete: (id, call = {}) => json("DELETE", at(id), nothing, call),
    speak: (id, place = {}, call = {}) => json("POST", `${at(id)}/speak`, projectRecord, call, place),
    stop: (id, call = {}) => json("DELETE", `${at(id)}/speak`, projectRecord, call),
    audio: (id, audio, call = {}) => fetched(`${at(id)}/audio/${encodeURIComponent(audio)}`, call),
    export: (id, format, chapter, call = {}) => fetched(`${at(id)}/export${queryOf({ format, chapter })}`, call),
    async subtitles(id, format, chapter, call = {}) {
      return new TextDecoder().decode(await fetched(`${at(id)}/subtitles${queryOf({ format, chapter })}`, call));
    },
  };
}
