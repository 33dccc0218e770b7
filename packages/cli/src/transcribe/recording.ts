import { createWriteStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ByteSource, Pcm } from "@parlance/client";
import { type Decoder, openSamples } from "@parlance/speech";

export interface OpenRecording extends ByteSource {
  readonly path: string;
  /** Decodes it to samples. */
  decode(decoder: Decoder, signal: AbortSignal): Promise<Pcm>;
  close(): Promise<void>;
}

const SAMPLE_RATE = 16_000;
const CHUNK_SAMPLES = 65_536;
/** Generous limits: it is the user's own file and machine. */
const DECODE = { sampleRate: SAMPLE_RATE, maxSeconds: 48 * 3600, timeoutMs: 3_600_000 };

/** Opens a file, or standard input, which is saved to a file first. `folder` is for temporary files. */
export async function openRecording(input: string, folder: string, signal: AbortSignal): Promise<OpenRecording> {
  const temporary = await mkdtemp(join(folder, "work-"));
  try {
    const path = input === "-" ? await saveInput(join(temporary, "input"), signal) : input;
    const file = await open(path, "r").catch((error) => {
      throw new Error(reasonOf(error), { cause: error });
    });
    const stats = await file.stat();
    if (!stats.isFile()) {
      await file.close();
      throw new Error(stats.isDirectory() ? "it is a folder" : "it is not a file; pipe it in and give - as its name");
    }
    return {
      path,
      size: stats.size,
      read: (start, end) => readBytes(file, start, Math.min(end, stats.size)),
      async decode(decoder, stop) {
        const target = join(temporary, "samples");
        const { seconds } = await decoder.decode(path, target, DECODE, stop);
        return { sampleRate: SAMPLE_RATE, seconds, samples: samplesOf(target) };
      },
      async close() {
        await file.close();
        await rm(temporary, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

async function saveInput(path: string, signal: AbortSignal): Promise<string> {
  await pipeline(process.stdin, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal });
  return path;
}

async function* samplesOf(path: string): AsyncGenerator<Float32Array, void, undefined> {
  const file = await openSamples(path);
  try {
    for (let at = 0; at < file.samples; at += CHUNK_SAMPLES) yield await file.read(at, at + CHUNK_SAMPLES);
  } finally {
    await file.close();
  }
}

async function readBytes(file: FileHandle, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "no permission to read it";
  return error instanceof Error ? error.message : String(error);
}
