import { createEncoder, createJoiner, createLoudness, createResampler, type Joiner } from "../audio/index.ts";
import { engineDescriptor } from "../engines/registry.ts";
import { concatBytes } from "../lib/concat.ts";
import { createScratch } from "../lib/scratch.ts";
import type { EngineName, SpeechSettings } from "../speech.ts";

/** Turns joined speech into the bytes of one file. */
export interface Mixer {
  readonly joiner: Joiner;
  /** Seconds that a client that has played since the first sample still has to play. */
  ahead(): number;
  /** Silence before the first sample in formats that cannot tell the player to skip the codec's delay. */
  readonly leadSeconds: number;
  /** Takes the output of the joiner. */
  write(samples: Float32Array): Promise<Uint8Array>;
  /** Whether the bytes so far contain everything that was written. */
  readonly drained: boolean;
  finish(): Promise<Uint8Array>;
  close(): void;
}

/** `sampleRate` is that of the joiner: the rate of the first voice's engine. */
export function createMixer(settings: SpeechSettings, sampleRate: number, engine: EngineName): Mixer {
  const { output } = settings;
  const joiner = createJoiner({ sampleRate, speed: settings.speed, allocate: createScratch() });
  const toOutput = createResampler(sampleRate, output.sampleRate, createScratch());
  const level = createLoudness({
    sampleRate: output.sampleRate,
    volumeDb: settings.volumeDb,
    normalize: settings.normalizeLoudness,
    expectedLufs: engineDescriptor(engine).loudness,
    allocate: createScratch(),
  });
  const encoder = createEncoder(output, settings.seed >>> 0);
  let began: number | undefined;
  let written = 0;

  return {
    joiner,
    leadSeconds: output.format === "mp3" ? encoder.delaySamples / output.sampleRate : 0,
    ahead: () => (began === undefined ? 0 : Math.max(0, written / sampleRate - (performance.now() - began) / 1000)),
    async write(samples) {
      if (samples.length > 0) began ??= performance.now();
      written += samples.length;
      return encoder.encode(level.push(toOutput.push(samples)));
    },
    get drained() {
      return encoder.encodedSamples >= Math.floor((written / sampleRate) * output.sampleRate);
    },
    async finish() {
      // One after the other: both results are in the same memory.
      const bytes = [await encoder.encode(level.push(toOutput.flush()))];
      bytes.push(await encoder.encode(level.flush()), await encoder.finish());
      return concatBytes(bytes);
    },
    close() {
      toOutput.close();
      encoder.close();
    },
  };
}
