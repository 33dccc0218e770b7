import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createDecoder,
  type DecodedAudio,
  type DecodeOptions,
  type Decoder,
  type DecoderOptions,
  readSamples,
} from "../audio/decode/index.ts";
import { createResampler } from "../audio/resample.ts";
import { testModels } from "./models.ts";
import { concatSamples, correlation } from "./signals.ts";

/** The sample rate of recognition. */
export const LISTENING_RATE = 16000;

/** A decoder and a directory for a test's files. */
export interface DecodeSession {
  readonly directory: string;
  readonly decoder: Decoder;
  /** Decodes bytes from a file with a neutral name. */
  decode(file: Uint8Array, options?: Partial<DecodeOptions>): Promise<DecodedAudio & { readonly sound: Float32Array }>;
  close(): Promise<void>;
}

export async function openDecodeSession(options?: DecoderOptions): Promise<DecodeSession> {
  const directory = await mkdtemp(join(tmpdir(), "parlance-decode-"));
  const decoder = createDecoder(options);
  let files = 0;
  return {
    directory,
    decoder,
    async decode(file, wanted = {}) {
      const source = join(directory, `upload-${files++}`);
      const target = `${source}.samples`;
      await writeFile(source, file);
      const audio = await decoder.decode(
        source,
        target,
        { sampleRate: LISTENING_RATE, ...wanted },
        new AbortController().signal,
      );
      const sound = await readSamples(target, 0, audio.samples);
      await Promise.all([rm(source), rm(target)]);
      return { ...audio, sound };
    },
    async close() {
      await decoder.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** The first seconds of a real speech. */
export async function speechClip(seconds: number, sampleRate = LISTENING_RATE): Promise<Float32Array> {
  const file = await readFile((await testModels("test-speech")).path("test-speech", "jfk.wav"));
  const data = file.subarray(file.indexOf("data", 0, "latin1") + 8);
  const clip = new Float32Array(Math.round(seconds * LISTENING_RATE)).map((_, i) => data.readInt16LE(2 * i) / 32768);
  const resampler = createResampler(LISTENING_RATE, sampleRate);
  return concatSamples([resampler.push(clip), resampler.flush()]);
}

/** Fails unless two recordings are similar. One may be delayed by some samples, if the delay of a codec is unknown. */
export function assertSameSound(actual: Float32Array, expected: Float32Array, atLeast: number, maxLag = 0): void {
  let best = -1;
  for (let lag = 0; lag <= maxLag && best < atLeast; lag++) {
    best = Math.max(best, correlation(actual.subarray(lag), expected), correlation(actual, expected.subarray(lag)));
  }
  assert.ok(best >= atLeast, `correlation ${best}`);
}
