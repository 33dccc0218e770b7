import { type Decoder, openSamples } from "../decode/index.ts";
import { createEncoder } from "../encode/index.ts";
import { OPUS_SAMPLE_RATE } from "../encode/opus.ts";
import type { OutputFormat } from "../encode/output-format.ts";
import { createResampler } from "../resample.ts";

/** Turns uncompressed audio into a small file while it is made. */
export interface ArchiveEncoder {
  readonly contentType: string;
  /** 16-bit little-endian mono, whole samples. Await each call before the next. */
  push(bytes: Uint8Array): Promise<Uint8Array>;
  finish(): Promise<Uint8Array>;
  close(): void;
}

/** High enough for speech to sound like the original; 43 MB for an hour. */
const ARCHIVE_BITRATE = 96_000;

/** Opus, for audio at any of the sample rates. */
export function createArchiveEncoder(sampleRate: number): ArchiveEncoder {
  const resampler = createResampler(sampleRate, OPUS_SAMPLE_RATE);
  const output = {
    format: "opus",
    sampleRate: OPUS_SAMPLE_RATE,
    mp3Bitrate: 128,
    opusBitrate: ARCHIVE_BITRATE,
  } as const;
  const encoder = createEncoder(output);
  return {
    contentType: encoder.contentType,
    push: (bytes) => encoder.encode(resampler.push(fromInt16(bytes))),
    async finish() {
      const rest = await encoder.encode(resampler.flush());
      const end = await encoder.finish();
      return Buffer.concat([rest, end]);
    },
    close() {
      resampler.close();
      encoder.close();
    },
  };
}

const CHUNK_SECONDS = 10;

/** Encodes an audio file of any format again. `scratch` is a path for the samples, which the caller removes. */
export async function* encodeFile(
  decoder: Pick<Decoder, "decode">,
  paths: { readonly source: string; readonly scratch: string },
  output: OutputFormat,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  await decoder.decode(paths.source, paths.scratch, { sampleRate: output.sampleRate }, signal);
  const samples = await openSamples(paths.scratch);
  const encoder = createEncoder(output);
  try {
    const chunk = CHUNK_SECONDS * output.sampleRate;
    for (let from = 0; from < samples.samples; from += chunk) {
      signal.throwIfAborted();
      yield await encoder.encode(await samples.read(from, from + chunk));
    }
    yield await encoder.finish();
  } finally {
    encoder.close();
    await samples.close();
  }
}

function fromInt16(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index += 1) samples[index] = view.getInt16(index * 2, true) / 32_768;
  return samples;
}
