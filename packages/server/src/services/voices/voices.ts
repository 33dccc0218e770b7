import {
  apiError,
  describeValue,
  SYSTEM_USER,
  type VoiceChangeRequest,
  type VoiceListRequest,
} from "@parlance/protocol";
import { findMixedVoice, type Speech, type SpeechVoice, type Voice } from "@parlance/speech";
import { isoTime } from "../../lib/time.ts";
import type { Store } from "../../stores/store.ts";
import type { VoiceRecord } from "../../stores/voices.ts";
import type { Caller } from "../identity/keys.ts";
import type { Aliases } from "./aliases.ts";
import { customVoice } from "./cloned-sound.ts";
import { FOREIGN_VOICES } from "./foreign-voices.ts";
import { sampleText } from "./sample-texts.ts";
import type { VoiceFiles } from "./voice-files.ts";

export type { VoiceRecord };

/** A voice as one caller sees it. */
export interface VoiceView {
  readonly voice: VoiceRecord;
  readonly liked: boolean;
  readonly author: { readonly id: string; readonly nickname: string };
}

/** A picture that was decoded and re-encoded. */
export interface Cover {
  readonly type: string;
  readonly bytes: Buffer;
  /** Changes with the picture. */
  readonly name: string;
}

type Viewer = Pick<Caller, "userId" | "role">;

export interface Voices {
  list(
    caller: Viewer,
    request: VoiceListRequest,
  ): Promise<{ readonly total: number; readonly views: readonly VoiceView[] }>;
  /** Throws the 404, also for a private voice of another account. */
  find(caller: Viewer, id: string): Promise<VoiceView>;
  /** Throws the 404, and the 403 for a voice of another account. */
  update(
    caller: Viewer,
    id: string,
    change: VoiceChangeRequest,
    cover?: Cover,
    signal?: AbortSignal,
  ): Promise<VoiceView>;
  /** Throws the 404, and the 403 for a voice of another account. */
  assertEditable(caller: Viewer, id: string): Promise<void>;
  /** Deletes the voice with its recordings and everything derived from them. */
  remove(caller: Viewer, id: string): Promise<void>;
  setLiked(caller: Viewer, id: string, liked: boolean): Promise<VoiceView>;
  /** By id, by the short name of a stock voice, by the id of a designed voice, or else by its alias. Throws the 400 for a voice that the caller cannot use. */
  resolve(caller: Pick<Caller, "userId">, reference: string): Promise<SpeechVoice>;
  /** The voice as the engine takes it. Undefined when its engine is not installed. */
  spoken(voice: VoiceRecord): Promise<SpeechVoice | undefined>;
  view(caller: Viewer, voice: VoiceRecord): Promise<VoiceView>;
}

export interface VoicesParts {
  readonly store: Store;
  readonly files: Pick<VoiceFiles, "saved">;
  readonly speech: Pick<Speech, "voices" | "findVoice" | "defaultVoice">;
  /** Voices of this server by the ids that clients of other servers send. */
  readonly aliases?: Pick<Aliases, "find">;
  /** Called after a voice was deleted. */
  readonly onRemoved?: (id: string) => void;
  /** Called after a refinement was enqueued. */
  readonly onEnqueued?: () => void;
  /** Called when the engine of a requested voice is not installed; may throw a more specific error. */
  readonly onEngineMissing?: (voice: VoiceRecord) => void;
  readonly now?: () => number;
}

const ID = /^[0-9a-f]{32}$/;
/** The creation time of stock voices: older than any cloned voice. */
const STOCK_CREATED_AT = "2025-01-01T00:00:00.000Z";

export function createVoiceService(parts: VoicesParts): Voices {
  const { store, files, speech, aliases, now = Date.now } = parts;
  const { onRemoved = () => {}, onEnqueued = () => {}, onEngineMissing = () => {} } = parts;
  let stock = new Set<string>();
  /** Stores the stock voices of engines that have appeared since the last call. */
  const syncStock = async (): Promise<readonly string[]> => {
    const voices = speech.voices();
    if (voices.some((voice) => !stock.has(voice.id))) {
      await store.transaction((records) => records.voices.putStock(voices.map(toStockVoice)));
      stock = new Set(voices.map((voice) => voice.id));
    }
    return voices.map((voice) => voice.id);
  };
  const views = async (caller: Viewer, voices: readonly VoiceRecord[]): Promise<readonly VoiceView[]> => {
    const owners = new Set(voices.flatMap(({ userId }) => userId ?? []));
    const [likes, names] = await Promise.all([
      store.voiceLikes.likedOf(
        caller.userId,
        voices.map((voice) => voice.id),
      ),
      store.voices.ownersOf([...owners]),
    ]);
    const liked = new Set(likes);
    const nicknames = new Map(names.map(({ id, nickname }) => [id, nickname]));
    return voices.map((voice) => ({
      voice,
      liked: liked.has(voice.id),
      author:
        voice.userId === null
          ? { id: SYSTEM_USER, nickname: "Parlance" }
          : { id: voice.userId, nickname: nicknames.get(voice.userId) ?? "" },
    }));
  };
  const view = async (caller: Viewer, voice: VoiceRecord): Promise<VoiceView> => {
    const [found] = await views(caller, [voice]);
    if (found === undefined) throw apiError("voice_not_found", {});
    return found;
  };
  /** Undefined for voices that this caller may not see. */
  const visible = async (caller: Pick<Caller, "userId">, reference: string): Promise<VoiceRecord | undefined> => {
    // Stock voices also have a short name.
    const id = speech.findVoice(reference)?.id ?? reference;
    if (!ID.test(id)) return undefined;
    const voice = await store.voices.find(id);
    if (voice === undefined) return undefined;
    if (voice.userId === null && speech.findVoice(id) === undefined) return undefined;
    return voice.visibility === "private" && voice.userId !== caller.userId ? undefined : voice;
  };
  const known = async (caller: Viewer, id: string): Promise<VoiceRecord> => {
    await syncStock();
    const voice = await visible(caller, id);
    if (voice === undefined) throw apiError("voice_not_found", {});
    return voice;
  };
  /** By its owner, or by an admin, who must be able to remove a public voice. */
  const editable = async (caller: Viewer, id: string): Promise<VoiceRecord> => {
    const voice = await known(caller, id);
    const allowed = voice.userId !== null && (voice.userId === caller.userId || caller.role === "admin");
    if (!allowed) throw apiError("forbidden", {});
    return voice;
  };
  const spoken = async (voice: VoiceRecord): Promise<SpeechVoice | undefined> => {
    if (voice.userId === null) return speech.findVoice(voice.id);
    const engine = speech.voices().find((stock) => stock.engine === voice.engine)?.engine;
    const numbers = engine && (await store.voiceBlobs.findSound(voice.id));
    return numbers && { id: voice.id, engine, custom: customVoice(voice, numbers) };
  };
  const usable = async (caller: Pick<Caller, "userId">, reference: string): Promise<SpeechVoice | undefined> => {
    const builtIn = speech.findVoice(reference) ?? findMixedVoice(reference, speech.voices());
    if (builtIn !== undefined) return builtIn;
    const voice = await visible(caller, reference);
    if (voice?.state !== "trained") return undefined;
    const found = await spoken(voice);
    if (found === undefined) onEngineMissing(voice);
    return found;
  };
  /** The voices that speak for a name of another service. What the operator says comes first. */
  const aliasesOf = async (reference: string): Promise<readonly string[]> => {
    const { named, others } = (await aliases?.find(reference)) ?? { named: [], others: [] };
    const foreign = Object.hasOwn(FOREIGN_VOICES, reference) ? FOREIGN_VOICES[reference] : undefined;
    const builtIn = foreign === undefined ? [] : [...foreign, speech.defaultVoice()?.id ?? ""];
    return [...named, ...builtIn, ...others];
  };
  return {
    async list(caller, request) {
      const ids = await syncStock();
      const { owner, visibilities } = scopeOf(caller, request);
      const { title, tags, languages, order, pageNumber, pageSize } = request;
      const query = { owner, visibilities, stockIds: ids, title, tags, languages };
      const page = { order, offset: (pageNumber - 1) * pageSize, limit: pageSize };
      const [total, voices] = [await store.voices.count(query), await store.voices.list({ ...query, ...page })];
      return { total, views: await views(caller, voices) };
    },
    find: async (caller, id) => view(caller, await known(caller, id)),
    async update(caller, id, { refinement, ...change }, cover, signal = new AbortController().signal) {
      await editable(caller, id);
      const named = cover === undefined ? change : { ...change, cover: cover.name };
      const given = cover === undefined ? [] : [{ number: 0, type: cover.type, text: null, bytes: cover.bytes }];
      await files.saved(id, given, signal, (stored) =>
        store.transaction(async (records) => {
          if (!(await records.voices.update(id, named, isoTime(now())))) throw apiError("voice_not_found", {});
          for (const blob of stored) await records.voiceBlobs.put(id, "cover", blob);
          if (refinement !== undefined) await records.remakeQueue.retry(id);
        }),
      );
      if (refinement !== undefined) onEnqueued();
      return view(caller, await known(caller, id));
    },
    async assertEditable(caller, id) {
      await editable(caller, id);
    },
    async remove(caller, id) {
      await editable(caller, id);
      if (!(await store.transaction((records) => records.voices.remove(id)))) throw apiError("voice_not_found", {});
      onRemoved(id);
      await store.erase();
    },
    async setLiked(caller, reference, liked) {
      const { id } = await known(caller, reference);
      await store.transaction(async (records) => {
        // It may have been deleted in the meantime.
        if ((await records.voices.find(id)) === undefined) throw apiError("voice_not_found", {});
        await records.voiceLikes.set(id, caller.userId, liked);
      });
      return view(caller, await known(caller, id));
    },
    async resolve(caller, reference) {
      const direct = await usable(caller, reference);
      if (direct !== undefined) return direct;
      for (const id of await aliasesOf(reference)) {
        const found = await usable(caller, id);
        if (found !== undefined) return found;
      }
      const installed = speech.voices();
      const some = installed.slice(0, 5).map((each) => each.slug);
      throw apiError("unknown_voice", {
        field: "reference_id",
        value: describeValue(reference),
        allowed: `use the id of a voice of yours or of a public one, or the short name of one of the ${installed.length} installed voices, such as ${some.join(", ")}`,
      });
    },
    spoken,
    view,
  };
}

function scopeOf(caller: Viewer, { self, authorId }: VoiceListRequest) {
  const all = ["public", "unlist", "private"] as const;
  const owner = self ? caller.userId : authorId === SYSTEM_USER ? null : authorId;
  // `self` and another author: the result is empty.
  const none = self && authorId !== undefined && authorId !== caller.userId;
  if (none) return { owner: "", visibilities: all };
  return { owner, visibilities: owner === caller.userId ? all : (["public"] as const) };
}

function toStockVoice(voice: Voice, sortOrder: number) {
  const language = voice.language.split("-")[0] ?? voice.language;
  return {
    id: voice.id,
    title: voice.title,
    description: voice.description,
    tags: [voice.gender, voice.engine, voice.language],
    languages: [language],
    defaultText: sampleText(language),
    engine: voice.engine,
    sortOrder,
    createdAt: STOCK_CREATED_AT,
  };
}
