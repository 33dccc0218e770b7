import {
  ApiError,
  type PageOf,
  type Visibility,
  type VoiceModel,
  type VoiceOrder,
  voiceModel,
  voicePage,
} from "@parlance/protocol";
import { queryOf } from "../account/admin.ts";
import type { CallOptions, Connection } from "../http/connection.ts";
import { withRetries } from "../http/retry.ts";

export interface VoiceQuery {
  /** Part of the title, in any case. */
  readonly title?: string | undefined;
  readonly tag?: string | undefined;
  readonly language?: string | undefined;
  /** Only the caller's own. */
  readonly self?: boolean | undefined;
  readonly sort_by?: VoiceOrder | undefined;
  readonly page_size?: number | undefined;
  /** From 1. */
  readonly page_number?: number | undefined;
}

export interface NewVoice {
  readonly title: string;
  /** 1 to 20 recordings of one speaker. */
  readonly voices: readonly Blob[];
  /** What is said in them, in the same order; heard by the server where it is left out. */
  readonly texts?: readonly string[];
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly visibility?: Visibility;
  readonly cover_image?: Blob;
  /** Takes noise out of the recordings first. */
  readonly enhance_audio_quality?: boolean;
  /** Who agreed that this voice may be made, in words that will be kept. */
  readonly consent?: string;
}

export interface NewVoiceCall extends CallOptions {
  /** Told when the server has to fetch first what voices are made with, and how long that is waited for now. */
  readonly onWait?: ((error: Error, waitMs: number) => void) | undefined;
}

export interface VoiceChange {
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly visibility?: Visibility;
}

export interface Voices {
  list(query?: VoiceQuery, call?: CallOptions): Promise<PageOf<VoiceModel>>;
  get(id: string, call?: CallOptions): Promise<VoiceModel>;
  /** A server that has never made one fetches models for it first: that is waited for, some minutes at most. */
  create(voice: NewVoice, call?: NewVoiceCall): Promise<VoiceModel>;
  update(id: string, change: VoiceChange, call?: CallOptions): Promise<VoiceModel>;
  /** Takes its recordings and all that was made of them with it. */
  delete(id: string, call?: CallOptions): Promise<void>;
  like(id: string, liked: boolean, call?: CallOptions): Promise<VoiceModel>;
  /** What it sounds like, as an mp3 file. */
  sample(id: string, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
}

const nothing = { parse: (): void => {} };

export function createVoices({ json, send }: Connection): Voices {
  const at = (id: string) => `/model/${encodeURIComponent(id)}`;
  return {
    list: (query = {}, call = {}) => json("GET", `/model${queryOf(query)}`, voicePage, call),
    get: (id, call = {}) => json("GET", at(id), voiceModel, call),
    create: (voice, { onWait, ...call } = {}) =>
      withRetries(() => json("POST", "/model", voiceModel, call, formOf(voice)), {
        signal: call.signal,
        onRetry: onWait,
        passes: (error) => error instanceof ApiError && error.code === "not_ready",
      }),
    update: (id, change, call = {}) => json("PATCH", at(id), voiceModel, call, change),
    delete: (id, call = {}) => json("DELETE", at(id), nothing, call),
    like: (id, liked, call = {}) => json(liked ? "PUT" : "DELETE", `${at(id)}/like`, voiceModel, call),
    async sample(id, call = {}) {
      const { response, done } = await send("GET", `${at(id)}/sample.mp3`, {}, call);
      try {
        return new Uint8Array(await response.arrayBuffer());
      } finally {
        done();
      }
    },
  };
}

function formOf({ voices, texts = [], tags = [], cover_image, ...fields }: NewVoice): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value));
  for (const tag of tags) form.append("tags", tag);
  for (const text of texts) form.append("texts", text);
  for (const [index, voice] of voices.entries()) {
    form.append("voices", voice, voice instanceof File ? voice.name : `voice-${index + 1}`);
  }
  if (cover_image !== undefined) form.append("cover_image", cover_image);
  return form;
}
