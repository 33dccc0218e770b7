import type { ChunkAlignment, EngineName, Speech, SpeechPart, SpeechRequest } from "../speech.ts";
import { defaultRequest } from "../synthesis/default-request.ts";

export interface SpeakOptions extends Partial<Omit<SpeechRequest, "text" | "output">> {
  readonly engine?: EngineName;
  readonly sampleRate?: number;
}

/** A request with the default settings. */
export function requestOf(speech: Speech, text: string, options: SpeakOptions = {}): SpeechRequest {
  const voice = speech.defaultVoice(options.engine);
  if (!voice) throw new Error(`no voice of ${options.engine ?? "any engine"} is installed`);
  const { engine: _engine, sampleRate = 24_000, ...changes } = options;
  const output = { format: "pcm", sampleRate, mp3Bitrate: 128, opusBitrate: "auto" } as const;
  return defaultRequest(text, voice, { output, ...changes });
}

/** The samples of a text. */
export async function speakSamples(speech: Speech, text: string, options: SpeakOptions = {}): Promise<Float32Array> {
  const parts: Uint8Array[] = [];
  for await (const part of speech.speak(requestOf(speech, text, options), new AbortController().signal)) {
    parts.push(part.bytes);
  }
  return samplesOf(Buffer.concat(parts));
}

/** The samples of 16-bit PCM. */
export function samplesOf(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(at * 2) / 32768);
}

/** The final alignment of each chunk. */
export function alignmentsOf(parts: readonly SpeechPart[]): ChunkAlignment[] {
  const byChunk = new Map<number, ChunkAlignment>();
  for (const { chunk, alignment } of parts) if (alignment) byChunk.set(chunk, alignment);
  return [...byChunk.values()];
}
