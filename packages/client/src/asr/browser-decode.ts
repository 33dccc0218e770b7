import { ASR_SAMPLE_RATE } from "./in-parts.ts";
import type { ByteSource, Pcm } from "./types.ts";

/** The part of the browser's decoder that is used here. */
interface BrowserDecoder {
  decodeAudioData(bytes: ArrayBuffer): Promise<{
    readonly sampleRate: number;
    readonly duration: number;
    readonly length: number;
    readonly numberOfChannels: number;
    getChannelData(channel: number): Float32Array;
  }>;
}

interface Host {
  readonly OfflineAudioContext?: new (channels: number, length: number, sampleRate: number) => BrowserDecoder;
  /** Present in every host; makes the type apply to `globalThis`. */
  readonly fetch: unknown;
}

const host: Host = globalThis;

export function canDecodeInBrowser(): boolean {
  return host.OfflineAudioContext !== undefined;
}

const CHUNK_SAMPLES = 65_536;

/** Decodes any format that the browser can play, as a whole, at the sample rate of recognition. */
export async function decodeInBrowser(file: ByteSource): Promise<Pcm> {
  if (host.OfflineAudioContext === undefined) throw new Error("there is no browser to decode the recording");
  const context = new host.OfflineAudioContext(1, 1, ASR_SAMPLE_RATE);
  const bytes = await file.read(0, file.size);
  const audio = await context.decodeAudioData(bytes.buffer);
  const channels = Array.from({ length: audio.numberOfChannels }, (_, channel) => audio.getChannelData(channel));
  async function* mixed(): AsyncGenerator<Float32Array, void, undefined> {
    for (let at = 0; at < audio.length; at += CHUNK_SAMPLES) {
      const mono = new Float32Array(Math.min(CHUNK_SAMPLES, audio.length - at));
      for (const channel of channels) {
        for (let i = 0; i < mono.length; i += 1) mono[i] = (mono[i] ?? 0) + (channel[at + i] ?? 0) / channels.length;
      }
      yield mono;
    }
  }
  return { sampleRate: audio.sampleRate, seconds: audio.duration, samples: mixed() };
}
