import { createReadStream } from "node:fs";
import {
  apiError,
  DEFAULT_MP3_BITRATE,
  FORMAT_RULES,
  isSpoken,
  type ProjectFormat,
  toSrt,
  toVtt,
} from "@parlance/protocol";
import {
  adtsFrames,
  createDecoder,
  createEncoder,
  type Decoder,
  mp4Head,
  openSamples,
  takeTurn,
} from "@parlance/speech";
import { createSlots } from "../../lib/slots.ts";
import { createSlotsByKey } from "../../lib/slots-by-key.ts";
import type { Store } from "../../stores/store.ts";
import type { UploadFolder } from "../uploads/upload-folder.ts";
import type { ProjectView } from "./projects.ts";
import { sentencesOf, type TimedSentence } from "./sentence-times.ts";

export interface ProjectExports {
  /** The audio of a project or of one chapter. Throws the 400 when a paragraph was not spoken yet. */
  audio(
    project: ProjectView,
    format: ProjectFormat,
    chapter: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array>;
  subtitles(project: ProjectView, format: "srt" | "vtt", chapter: number | undefined): Promise<string>;
  close(): Promise<void>;
}

interface Piece {
  readonly hash: string;
  readonly text: string;
  readonly durationMs: number;
  /** Where it begins in the export. */
  readonly startMs: number;
  /** Seconds of silence after it. */
  readonly pauseMs: number;
}

interface Plan {
  readonly pieces: readonly Piece[];
  readonly chapters: readonly { readonly title: string; readonly start: number }[];
}

const PARAGRAPH_PAUSE_MS = 600;
const CHAPTER_PAUSE_MS = 1500;
const M4B_RATE = 44_100;
const CHUNK_SECONDS = 10;
/** Exports at a time. One ends when its client has read it, so each account has one of them only. */
const AT_ONCE = 4;
/** Exports of an account that may wait. */
const MAX_WAITING = 10;
/** Paragraphs whose words are read in one turn of the event loop: all words of a long text are tens of megabytes. */
const IN_ONE_TURN = 20;

export function createProjectExports(
  store: Pick<Store, "projects">,
  uploads: Pick<UploadFolder, "create">,
): ProjectExports {
  let decoder: Decoder | undefined;
  const onFull = () => apiError("overloaded", {}, { retryAfterSeconds: 10 });
  const slots = createSlotsByKey({ slots: 1, total: AT_ONCE, maxWaiting: MAX_WAITING, onFull });
  // However many exports there are, one of them decodes or encodes at a time.
  const steps = createSlots({ slots: 1, maxWaiting: AT_ONCE, onFull });

  function planOf({ chapters }: ProjectView, only: number | undefined): Plan {
    const wanted = only === undefined ? chapters : chapters.slice(only, only + 1);
    const pieces: Piece[] = [];
    const starts: { title: string; start: number }[] = [];
    let at = 0;
    for (const { title, paragraphs } of wanted) {
      const spoken = paragraphs.filter(isSpoken);
      if (spoken.length > 0) starts.push({ title, start: at / 1000 });
      for (const [index, { hash, text, durationMs }] of spoken.entries()) {
        if (durationMs === undefined) throw apiError("project_incomplete", {});
        const pauseMs = index === spoken.length - 1 ? CHAPTER_PAUSE_MS : PARAGRAPH_PAUSE_MS;
        pieces.push({ hash, text, durationMs, startMs: at, pauseMs });
        at += durationMs + pauseMs;
      }
    }
    if (pieces.length === 0) throw apiError("project_incomplete", {});
    return { pieces, chapters: starts };
  }

  /** The samples of all pieces. Each has exactly its length, so that the times of words and chapters hold. */
  async function* samplesOf(projectId: string, pieces: readonly Piece[], sampleRate: number, signal: AbortSignal) {
    for (const { hash, startMs, durationMs, pauseMs } of pieces) {
      const audio = await store.projects.audio.find(projectId, hash);
      if (audio === undefined) throw apiError("project_incomplete", {});
      const [source, scratch] = [await uploads.create(), await uploads.create()];
      const at = (ms: number): number => Math.round((ms / 1000) * sampleRate);
      let missing = at(startMs + durationMs + pauseMs) - at(startMs);
      const voiced = at(startMs + durationMs) - at(startMs);
      try {
        await source.write(audio.bytes);
        await Promise.all([source.finish(), scratch.finish()]);
        decoder ??= createDecoder({ processes: 1 });
        const { decode } = decoder;
        await steps.run(() => decode(source.path, scratch.path, { sampleRate }, signal));
        const samples = await openSamples(scratch.path);
        try {
          const end = Math.min(samples.samples, voiced);
          for (let from = 0; from < end; from += CHUNK_SECONDS * sampleRate) {
            signal.throwIfAborted();
            const part = await samples.read(from, Math.min(end, from + CHUNK_SECONDS * sampleRate));
            missing -= part.length;
            yield part;
          }
        } finally {
          await samples.close();
        }
      } finally {
        await Promise.all([source.remove(), scratch.remove()]);
      }
      yield new Float32Array(Math.max(0, missing));
    }
  }

  async function* encoded(
    projectId: string,
    pieces: readonly Piece[],
    format: Exclude<ProjectFormat, "m4b">,
    sampleRate: number,
    signal: AbortSignal,
  ) {
    const encoder = createEncoder({ format, sampleRate, mp3Bitrate: DEFAULT_MP3_BITRATE, opusBitrate: "auto" });
    try {
      for await (const samples of samplesOf(projectId, pieces, sampleRate, signal))
        yield await steps.run(() => encoder.encode(samples));
      yield await encoder.finish();
    } finally {
      encoder.close();
    }
  }

  /** The tables of an MP4 file name the size of every frame, so the frames are written to disk first. */
  async function* book(project: ProjectView, { pieces, chapters }: Plan, signal: AbortSignal) {
    const file = await uploads.create();
    const frameBytes: number[] = [];
    try {
      for await (const bytes of encoded(project.id, pieces, "aac", M4B_RATE, signal)) {
        const frames = [...adtsFrames(bytes)];
        for (const { length } of frames) frameBytes.push(length);
        await file.write(Buffer.concat(frames));
      }
      await file.finish();
      yield mp4Head({ title: project.title, sampleRate: M4B_RATE, frameBytes, chapters });
      for await (const bytes of createReadStream(file.path, { signal })) yield bytes as Uint8Array;
    } finally {
      await file.remove();
    }
  }

  return {
    async *audio(project, format, chapter, signal) {
      const plan = planOf(project, chapter);
      const leave = await slots.enter(project.userId);
      try {
        signal.throwIfAborted();
        if (format === "m4b") yield* book(project, plan, signal);
        else yield* encoded(project.id, plan.pieces, format, FORMAT_RULES[format].defaultSampleRate, signal);
      } finally {
        leave();
      }
    },
    async subtitles(project, format, chapter) {
      const { pieces } = planOf(project, chapter);
      const segments: TimedSentence[] = [];
      for (let at = 0; at < pieces.length; at += IN_ONE_TURN) {
        await takeTurn();
        const some = pieces.slice(at, at + IN_ONE_TURN);
        const words = await store.projects.audio.words(
          project.id,
          some.map(({ hash }) => hash),
        );
        for (const { hash, text, startMs } of some)
          segments.push(...sentencesOf(text, words.get(hash) ?? [], startMs / 1000));
      }
      return format === "srt" ? toSrt(segments) : toVtt(segments);
    },
    async close() {
      await decoder?.close();
    },
  };
}
