import {
  type AudioFormatName,
  type HistoryChange,
  type HistoryEntry,
  type HistoryQuery,
  type HistoryRecord,
  historyPage,
  historyRecord,
  type NewTranscriptInput,
  type PageOf,
} from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";
import { queryOf } from "./admin.ts";

const nothing = { parse: (): void => {} };

/** What the account has spoken and transcribed. */
export interface History {
  /**
   * Lists entries, newest first, by page.
   *
   * @example
   * ```ts
   * const { items } = await client.history.list({ kind: "speech", search: "hello" });
   * for (const { _id, title, duration } of items) console.log(_id, title, duration);
   * ```
   */
  list(query?: HistoryQuery, call?: CallOptions): Promise<PageOf<HistoryEntry>>;
  /**
   * Returns an entry with its text and the times of its words.
   *
   * @example
   * ```ts
   * const { text, words } = await client.history.get("5d1e0f0c9b8a47d6b1c2d3e4f5a60718");
   * console.log(text, words[0]?.start);
   * ```
   */
  get(id: string, call?: CallOptions): Promise<HistoryRecord>;
  /**
   * The audio of an entry, by default as it is kept. It costs nothing.
   *
   * @example
   * ```ts
   * import { writeFile } from "node:fs/promises";
   *
   * await writeFile("speech.mp3", await client.history.audio("5d1e0f0c9b8a47d6b1c2d3e4f5a60718", "mp3"));
   * ```
   */
  audio(id: string, format?: AudioFormatName, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Keeps a transcript, and its recording if one is given.
   *
   * @example
   * ```ts
   * import { openAsBlob } from "node:fs";
   *
   * const recording = await openAsBlob("talk.mp3");
   * const { text, segments, duration } = await client.asr.long(recording);
   * await client.history.add({ title: "Talk", text, words: [...segments], duration }, recording);
   * ```
   */
  add(transcript: NewTranscriptInput, recording?: Blob, call?: CallOptions): Promise<HistoryRecord>;
  /**
   * Changes title, text or words.
   *
   * @example
   * ```ts
   * await client.history.update("5d1e0f0c9b8a47d6b1c2d3e4f5a60718", { title: "Opening of the talk" });
   * ```
   */
  update(id: string, change: HistoryChange, call?: CallOptions): Promise<HistoryRecord>;
  /**
   * Deletes an entry with its audio.
   *
   * @example
   * ```ts
   * await client.history.delete("5d1e0f0c9b8a47d6b1c2d3e4f5a60718");
   * ```
   */
  delete(id: string, call?: CallOptions): Promise<void>;
  /**
   * Deletes all entries of the account.
   *
   * @example
   * ```ts
   * await client.history.clear();
   * ```
   */
  clear(call?: CallOptions): Promise<void>;
}

export function createHistory({ json, send }: Connection): History {
  const at = (id: string) => `/account/history/${encodeURIComponent(id)}`;
  return {
    list: (query = {}, call = {}) => json("GET", `/account/history${queryOf(query)}`, historyPage, call),
    get: (id, call = {}) => json("GET", at(id), historyRecord, call),
    async audio(id, format, call = {}) {
      const { response, done } = await send("GET", `${at(id)}/audio${queryOf({ format })}`, {}, call);
      try {
        return new Uint8Array(await response.arrayBuffer());
      } finally {
        done();
      }
    },
    async add(transcript, recording, call = {}) {
      const added = await json("POST", "/account/history", historyRecord, call, transcript);
      if (recording === undefined) return added;
      const headers = { "content-type": recording.type || "application/octet-stream" };
      const { done } = await send("PUT", `${at(added._id)}/audio`, { headers, body: recording }, call);
      done();
      return json("GET", at(added._id), historyRecord, call);
    },
    update: (id, change, call = {}) => json("PATCH", at(id), historyRecord, call, change),
    delete: (id, call = {}) => json("DELETE", at(id), nothing, call),
    clear: (call = {}) => json("DELETE", "/account/history", nothing, call),
  };
}
