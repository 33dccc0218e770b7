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
  /** Only the voices of the account. */
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
  /** What is said in them, in the same order; transcribed by the server where it is left out. */
  readonly texts?: readonly string[];
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly visibility?: Visibility;
  readonly cover_image?: Blob;
  /** Removes noise from the recordings first. */
  readonly enhance_audio_quality?: boolean;
  /** Who agreed that this voice may be made. Stored with the voice. */
  readonly consent?: string;
}

export interface NewVoiceCall extends CallOptions {
  /** Called when the server still has to download the models for cloning, with the time until the next attempt. */
  readonly onWait?: ((error: Error, waitMs: number) => void) | undefined;
}

export interface VoiceChange {
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly visibility?: Visibility;
  /** Starts a refinement that has failed again. */
  readonly refinement?: "waiting";
}

/** Stock voices, public voices and the voices of the account. */
export interface Voices {
  /**
   * Lists voices, by page.
   *
   * @example
   * ```ts
   * const { items } = await client.voices.list({ language: "en", sort_by: "task_count" });
   * for (const { _id, title } of items) console.log(_id, title);
   * ```
   */
  list(query?: VoiceQuery, call?: CallOptions): Promise<PageOf<VoiceModel>>;
  /**
   * Returns one voice.
   *
   * @example
   * ```ts
   * const { title, state } = await client.voices.get("5d1e0f0c9b8a47d6b1c2d3e4f5a60718");
   * console.log(title, state);
   * ```
   */
  get(id: string, call?: CallOptions): Promise<VoiceModel>;
  /**
   * Creates a cloned voice. The first one on a server waits, up to some minutes, until the models are downloaded.
   *
   * @example
   * ```ts
   * import { openAsBlob } from "node:fs";
   *
   * const { _id } = await client.voices.create({
   *   title: "My voice",
   *   voices: [await openAsBlob("me.wav")],
   *   consent: "It is my own voice.",
   * });
   * const mp3 = await client.tts.convert({ text: "Hello!", reference_id: _id });
   * console.log(mp3.length);
   * ```
   */
  create(voice: NewVoice, call?: NewVoiceCall): Promise<VoiceModel>;
  /**
   * Changes title, description, tags or visibility, or starts a refinement again.
   *
   * @example
   * ```ts
   * await client.voices.update("5d1e0f0c9b8a47d6b1c2d3e4f5a60718", { title: "Narrator", visibility: "private" });
   * ```
   */
  update(id: string, change: VoiceChange, call?: CallOptions): Promise<VoiceModel>;
  /**
   * Deletes a voice with its recordings and everything computed from them.
   *
   * @example
   * ```ts
   * await client.voices.delete("5d1e0f0c9b8a47d6b1c2d3e4f5a60718");
   * ```
   */
  delete(id: string, call?: CallOptions): Promise<void>;
  /**
   * Likes a voice, or takes that back.
   *
   * @example
   * ```ts
   * const { like_count } = await client.voices.like("5d1e0f0c9b8a47d6b1c2d3e4f5a60718", true);
   * console.log(like_count);
   * ```
   */
  like(id: string, liked: boolean, call?: CallOptions): Promise<VoiceModel>;
  /**
   * A sample of the voice as an mp3 file.
   *
   * @example
   * ```ts
   * import { writeFile } from "node:fs/promises";
   *
   * await writeFile("sample.mp3", await client.voices.sample("5d1e0f0c9b8a47d6b1c2d3e4f5a60718"));
   * ```
   */
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
        isRetryable: (error) => error instanceof ApiError && error.code === "not_ready",
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
