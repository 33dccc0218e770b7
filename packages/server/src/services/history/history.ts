import {
  apiError,
  HISTORY_LIMITS,
  type HistoryChange,
  type HistoryKind,
  type HistoryWord,
  type NewTranscriptInput,
  type TtsRequest,
} from "@parlance/protocol";
import { takeTurn } from "@parlance/speech";
import type { Config } from "../../config/config.ts";
import { batchesBySize } from "../../lib/batches.ts";
import { newId } from "../../lib/ids.ts";
import { inTurns } from "../../lib/in-turns.ts";
import { isoTime } from "../../lib/time.ts";
import type { HistoryDetails, HistorySize, HistorySummary } from "../../stores/history.ts";
import type { Records, Store } from "../../stores/store.ts";
import type { Caller } from "../identity/keys.ts";
import { createSpeechRecording, type SpeechRecording } from "./speech-recording.ts";

export type { HistoryDetails };

export interface HistoryOptions {
  readonly mode: Config["history"];
  readonly days: number;
  /** The audio of one account. */
  readonly maxBytes: number;
  readonly now?: () => number;
  readonly onFault: (error: unknown) => void;
}

export interface HistoryPage {
  readonly kind?: HistoryKind | undefined;
  readonly search?: string | undefined;
  readonly pageSize: number;
  readonly pageNumber: number;
}

export type HistoryItem = HistorySummary & { readonly expiresAt: string };

/** What accounts have spoken and transcribed. It costs nothing and counts towards no limit of requests. */
export interface History {
  /** Undefined where the speech of this caller is not kept. */
  recordSpeech(
    caller: Pick<Caller, "userId" | "keyId">,
    request: TtsRequest,
    traceId: string,
  ): SpeechRecording | undefined;
  list(userId: string, page: HistoryPage): Promise<{ readonly total: number; readonly items: readonly HistoryItem[] }>;
  /** This and the following throw the 404 for an entry of another account. */
  find(userId: string, id: string): Promise<HistoryItem & HistoryDetails>;
  change(userId: string, id: string, change: HistoryChange): Promise<HistoryItem & HistoryDetails>;
  audio(userId: string, id: string): Promise<{ readonly bytes: Buffer; readonly type: string }>;
  remove(userId: string, id: string): Promise<void>;
  /** Deletes all entries of the account. */
  clear(userId: string): Promise<void>;
  /** Throws the 400 where the history is off. */
  addTranscript(userId: string, transcript: NewTranscriptInput): Promise<HistoryItem & HistoryDetails>;
  putAudio(userId: string, id: string, type: string, bytes: Buffer): Promise<void>;
  /** Deletes what is older than the retention time. */
  sweep(): Promise<void>;
  /** Waits for speech that is being stored. */
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
const TITLE_CHARACTERS = 80;
const SWEEP_BATCH = 500;
const SWEEP_EVERY_MS = 600_000;
/**
 * What one statement reads or removes. SQLite runs it in the thread that serves all requests, reads a text of a megabyte to its end, and
 * overwrites what is removed.
 */
const READ_AT_ONCE = 10;
const REMOVED_AT_ONCE = { count: 5, bytes: 8_000_000 };

export function createHistoryService(store: Store, options: HistoryOptions): History {
  const { mode, days, maxBytes, now = Date.now, onFault } = options;
  const pending = new Set<Promise<void>>();
  let sweptAt = Number.NEGATIVE_INFINITY;
  const withExpiry = <Entry extends HistorySummary>(entry: Entry): Entry & { readonly expiresAt: string } => ({
    ...entry,
    expiresAt: isoTime(Date.parse(entry.createdAt) + days * DAY_MS),
  });
  const ownedBy = <Entry extends HistorySummary>(userId: string, entry: Entry | undefined): Entry => {
    if (entry === undefined || entry.userId !== userId) throw apiError("unknown_history", {});
    return entry;
  };
  const own = async (userId: string, id: string): Promise<HistoryItem & HistoryDetails> =>
    withExpiry(ownedBy(userId, await store.history.find(id)));
  /** One change of an entry after the other, so that each is made to the result of the one before. */
  const changeOwn = (
    userId: string,
    id: string,
    change: (records: Records, entry: HistorySummary & HistoryDetails) => Promise<void>,
  ): Promise<void> =>
    store.turns.run(id, () =>
      store.transaction(async (records) => change(records, ownedBy(userId, await records.history.lock(id)))),
    );
  /** Removes the oldest entries of an account that has too many, or too much audio. */
  const makeRoom = async (records: Records, userId: string): Promise<void> => {
    let bytes = 0;
    const surplus = (await records.history.sizes(userId)).filter((entry, index) => {
      bytes += entry.bytes;
      return index > 0 && (index >= HISTORY_LIMITS.entries || bytes > maxBytes);
    });
    await records.history.remove(surplus.map(({ id }) => id));
  };
  const removeInTurns = async (entries: readonly HistorySize[]): Promise<void> => {
    for (const batch of batchesBySize(entries, REMOVED_AT_ONCE)) {
      await store.history.remove(batch.map(({ id }) => id));
      await takeTurn();
    }
    if (entries.length > 0) await store.erase();
  };
  const track = (work: Promise<void>): Promise<void> => {
    pending.add(work);
    return work.finally(() => pending.delete(work));
  };
  const save = (
    entry: Omit<HistorySummary, "excerpt" | "audioType" | "audioBytes" | "createdAt"> & HistoryDetails,
    audio: { readonly type: string; readonly bytes: Buffer } | undefined,
  ): Promise<void> =>
    store.transaction(async (records) => {
      await records.history.add({ ...entry, audioType: null, audioBytes: 0, createdAt: isoTime(now()) });
      if (audio !== undefined) await records.history.putAudio(entry.id, audio.type, audio.bytes);
      await makeRoom(records, entry.userId);
    });
  return {
    recordSpeech({ userId, keyId }, request, traceId) {
      if (mode === "off" || (mode === "dashboard" && keyId !== undefined)) return undefined;
      const { text, language = null, model, referenceIds } = request;
      const id = newId();
      const entry = { id, userId, kind: "speech" as const, title: titleOf(text), text, language, traceId };
      const about = { voice: referenceIds.join(" "), model: model.name };
      const recording = createSpeechRecording(
        id,
        request,
        ({ words, seconds, audio }, complete) =>
          save({ ...entry, ...about, words, durationMs: Math.round(seconds * 1000), complete }, audio),
        onFault,
      );
      return { ...recording, finish: (complete) => track(recording.finish(complete)) };
    },
    async list(userId, { kind, search, pageSize, pageNumber }) {
      const all = await store.history.ids(userId, kind);
      const found =
        search === undefined ? all : await inTurns(all, READ_AT_ONCE, (some) => store.history.matching(some, search));
      const matches = new Set(found);
      const wanted = all.filter((id) => matches.has(id)).slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
      const entries = await inTurns(wanted, READ_AT_ONCE, store.history.summaries);
      const byId = new Map(entries.map((entry) => [entry.id, withExpiry(entry)]));
      // One may have been removed in between.
      return { total: matches.size, items: wanted.flatMap((id) => byId.get(id) ?? []) };
    },
    find: own,
    async change(userId, id, change) {
      await changeOwn(userId, id, async (records, entry) => {
        const { title, text, words } = { ...entry, ...given(change) };
        await records.history.change(id, title, { text, words });
      });
      return own(userId, id);
    },
    async audio(userId, id) {
      const { audioType } = await own(userId, id);
      const bytes = audioType === null ? undefined : await store.history.findAudio(id);
      if (audioType === null || bytes === undefined) throw apiError("unknown_history", {});
      return { bytes, type: audioType };
    },
    async remove(userId, id) {
      await own(userId, id);
      await store.history.remove([id]);
      await store.erase();
    },
    async clear(userId) {
      await removeInTurns(await store.history.sizes(userId));
    },
    async addTranscript(userId, { title, text, words, duration, language = null, model = "", trace_id = null }) {
      if (mode === "off") throw apiError("history_off", {});
      const id = newId();
      const details = { text, words: words as readonly HistoryWord[], durationMs: Math.round(duration * 1000) };
      const about = { title, model, language, voice: "", complete: true, traceId: trace_id };
      await save({ id, userId, kind: "transcript", ...about, ...details }, undefined);
      return own(userId, id);
    },
    putAudio: (userId, id, type, bytes) =>
      changeOwn(userId, id, async (records) => {
        await records.history.putAudio(id, type, bytes);
        await makeRoom(records, userId);
      }),
    async sweep() {
      if (now() - sweptAt < SWEEP_EVERY_MS) return;
      sweptAt = now();
      const before = isoTime(now() - days * DAY_MS);
      let removed: number;
      do {
        const old = await store.history.olderThan(before, SWEEP_BATCH);
        await removeInTurns(old);
        removed = old.length;
      } while (removed === SWEEP_BATCH);
    },
    async close() {
      await Promise.allSettled(pending);
    },
  };
}

/** The start of the text, up to a word. */
function titleOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= TITLE_CHARACTERS) return line;
  const cut = line.slice(0, TITLE_CHARACTERS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), TITLE_CHARACTERS / 2)).trimEnd()}…`;
}

/** Without the keys that are undefined, which would hide the stored values. */
function given({ title, text, words }: HistoryChange) {
  return {
    ...(title === undefined ? {} : { title }),
    ...(text === undefined ? {} : { text }),
    ...(words === undefined ? {} : { words: words as readonly HistoryWord[] }),
  };
}
