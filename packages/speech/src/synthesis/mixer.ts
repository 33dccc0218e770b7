import {
  createEncoder,
  createJoiner,
  createLoudness,
  createResampler,
  ENGINE_LUFS,
  type Joiner,
} from "../audio/index.ts";
import type { EngineName, SpeechSettings } from "../speech.ts";

/** Joined speech in, the bytes of one file out. */
export interface Mixer {
  readonly joiner: Joiner;
  /** Seconds that a listener who plays from the first sample on still has to play. */
  ahead(): number;
  /** Silence that a player puts before the first sample, because the format cannot tell it to skip the codec's delay. */
  readonly leadSeconds: number;
  /** Takes what the joiner gives. */
  write(samples: Float32Array): Promise<Uint8Array>;
  /** Whether all that was written can be heard by whoever has the bytes so far. */
  readonly drained: boolean;
  finish(): Promise<Uint8Array>;
  close(): void;
}

/** `sampleRate` is the joiner's: that of the first voice's engine, where silences are known best. */
export function createMixer(settings: SpeechSettings, sampleRate: number, engine: EngineName): Mixer {
  const { output } = settings;
  const joiner = createJoiner({ sampleRate, speed: settings.speed });
  const toOutput = createResampler(sampleRate, output.sampleRate);
  const level = createLoudness({
    sampleRate: output.sampleRate,
    volumeDb: settings.volumeDb,
    normalize: settings.normalizeLoudness,
    expectedLufs: ENGINE_LUFS[engine],
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
      const rest = [level.push(toOutput.flush()), level.flush()];
      const bytes = [];
      for (const samples of rest) bytes.push(await encoder.encode(samples));
      bytes.push(await encoder.finish());
      return Buffer.concat(bytes);
    },
    close() {
      toOutput.close();
      encoder.close();
    },
  };
}
