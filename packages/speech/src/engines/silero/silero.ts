import { Tensor } from "onnxruntime-node";
import { floats, floatsOf, openSession } from "../session.ts";
import { chunkSamples, leadChunks, sampleRate } from "./chunks.ts";

/** Detects speech in audio. */
export interface VoiceDetector {
  /**
   * The probability of speech in each chunk of `chunkSamples` from `from` on; the last chunk is padded with silence.
   * The samples before `from` are the lead, so that the result does not depend on where a file was split.
   */
  probabilities(samples: Float32Array, from: number, signal: AbortSignal): Promise<Float32Array>;
  /**
   * The probabilities for the next whole chunks of a stream. The state of one call is passed to the next one; a stream
   * starts without any.
   */
  follow(samples: Float32Array, state: VoiceState | undefined): Promise<FollowedVoice>;
  close(): Promise<void>;
}

/** The state of a stream: that of the network, and the last samples. */
export interface VoiceState {
  readonly memory: Float32Array;
  readonly context: Float32Array;
}

export interface FollowedVoice {
  /** One for each chunk. */
  readonly probabilities: Float32Array;
  readonly state: VoiceState;
}

/** Samples of the previous chunk that the network needs again. */
const CONTEXT = 64;
const STATE = 128;
const MAX_LANE_CHUNKS = 128;

/*
 * The network processes one chunk at a time, and most of that is overhead. But its memory is short, so the recording is split
 * into lanes, each with a second of lead, which are processed together as a batch. A second thread would not help.
 */
export async function loadSilero(file: string): Promise<VoiceDetector> {
  const session = await openSession(file, 1, { keepMemory: false });
  const rate = new Tensor("int64", BigInt64Array.of(BigInt(sampleRate)), []);

  return {
    async probabilities(samples, from, signal) {
      const chunks = Math.ceil(Math.max(0, samples.length - from) / chunkSamples);
      const laneChunks = laneLength(chunks);
      const result = new Float32Array(chunks);
      const startOf = (lane: number): number => from + lane * laneChunks * chunkSamples;
      // Digital silence holds no speech: calls in which somebody is muted consist of it.
      const heard = Array.from({ length: Math.ceil(chunks / laneChunks) }, (_, lane) => lane).filter(
        (lane) => !isSilent(samples, startOf(lane) - leadChunks * chunkSamples - CONTEXT, startOf(lane + 1)),
      );
      const lanes = heard.length;
      if (lanes === 0) return result;
      const width = CONTEXT + chunkSamples;
      let state = floats(new Float32Array(2 * lanes * STATE), 2, lanes, STATE);
      for (let step = -leadChunks; step < Math.min(laneChunks, chunks); step++) {
        signal.throwIfAborted();
        const input = new Float32Array(lanes * width);
        for (const [row, lane] of heard.entries()) {
          copy(samples, startOf(lane) + step * chunkSamples - CONTEXT, input, row * width, width);
        }
        const outputs = await session.run({ input: floats(input, lanes, width), state, sr: rate });
        const spoken = floatsOf(outputs, "output");
        state = floats(floatsOf(outputs, "stateN"), 2, lanes, STATE);
        if (step < 0) continue;
        for (const [row, lane] of heard.entries()) {
          const chunk = lane * laneChunks + step;
          if (chunk < chunks) result[chunk] = spoken[row] ?? 0;
        }
      }
      return result;
    },
    async follow(samples, state) {
      const probabilities = new Float32Array(Math.floor(samples.length / chunkSamples));
      let memory = floats(state?.memory ?? new Float32Array(2 * STATE), 2, 1, STATE);
      let context = state?.context ?? new Float32Array(CONTEXT);
      for (let chunk = 0; chunk < probabilities.length; chunk++) {
        const input = new Float32Array(CONTEXT + chunkSamples);
        input.set(context);
        input.set(samples.subarray(chunk * chunkSamples, (chunk + 1) * chunkSamples), CONTEXT);
        const outputs = await session.run({ input: floats(input, 1, input.length), state: memory, sr: rate });
        probabilities[chunk] = floatsOf(outputs, "output")[0] ?? 0;
        memory = floats(floatsOf(outputs, "stateN"), 2, 1, STATE);
        context = input.slice(chunkSamples);
      }
      return { probabilities, state: { memory: Float32Array.from(memory.data as Float32Array), context } };
    },
    close: () => session.release(),
  };
}

/**
 * Chunks in one lane, without its lead. Long lanes need many calls, short ones many leads; a call costs three times as much as
 * a chunk in it, and this length minimizes the sum.
 */
function laneLength(chunks: number): number {
  return Math.min(MAX_LANE_CHUNKS, Math.ceil(Math.sqrt((chunks * leadChunks) / 3)));
}

function isSilent(samples: Float32Array, from: number, to: number): boolean {
  return samples.subarray(Math.max(0, from), Math.max(0, to)).every((sample) => sample === 0);
}

/** Copies samples; outside the source there is silence. */
function copy(source: Float32Array, from: number, target: Float32Array, to: number, length: number): void {
  const first = Math.max(0, from);
  if (from + length > first) target.set(source.subarray(first, from + length), to + first - from);
}
