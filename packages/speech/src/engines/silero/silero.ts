import { Tensor } from "onnxruntime-node";
import { floats, floatsOf, openSession } from "../session.ts";

/** Tells speech from everything else. */
export interface VoiceDetector {
  /**
   * The probability of speech in each chunk of `chunkSamples` from `from` on; the last chunk may be filled up with silence.
   * What stands before `from` is listened to first, so that the answer does not depend on where a file was cut.
   */
  probabilities(samples: Float32Array, from: number, signal: AbortSignal): Promise<Float32Array>;
  close(): Promise<void>;
}

/** 32 ms at 16 kHz. */
export const chunkSamples = 512;
/** What is listened to first: after a second the network has forgotten that it had heard nothing before. */
export const leadChunks = 32;
/** Samples of the chunk before that the network wants again. */
const CONTEXT = 64;
const STATE = 128;
const MOST_LANE_CHUNKS = 128;

/*
 * The network goes through a recording chunk by chunk, which is far too little work at a time: most of it is overhead. But
 * it forgets fast. So the recording is cut into lanes, each with a second of lead, and all lanes go forward together. Even so
 * there is nothing that a second thread could help with.
 */
export async function loadSilero(file: string): Promise<VoiceDetector> {
  const session = await openSession(file, 1, { keepMemory: false });
  const rate = new Tensor("int64", BigInt64Array.of(16_000n), []);

  return {
    async probabilities(samples, from, signal) {
      const chunks = Math.ceil(Math.max(0, samples.length - from) / chunkSamples);
      const laneChunks = laneLength(chunks);
      const lanes = Math.ceil(chunks / laneChunks);
      const result = new Float32Array(chunks);
      if (lanes === 0) return result;
      const width = CONTEXT + chunkSamples;
      let state = floats(new Float32Array(2 * lanes * STATE), 2, lanes, STATE);
      for (let step = -leadChunks; step < Math.min(laneChunks, chunks); step++) {
        signal.throwIfAborted();
        const input = new Float32Array(lanes * width);
        for (let lane = 0; lane < lanes; lane++) {
          const at = from + (lane * laneChunks + step) * chunkSamples;
          copy(samples, at - CONTEXT, input, lane * width, width);
        }
        const outputs = await session.run({ input: floats(input, lanes, width), state, sr: rate });
        const spoken = floatsOf(outputs, "output");
        state = floats(floatsOf(outputs, "stateN"), 2, lanes, STATE);
        for (let lane = 0; step >= 0 && lane < lanes; lane++) {
          const chunk = lane * laneChunks + step;
          if (chunk < chunks) result[chunk] = spoken[lane] ?? 0;
        }
      }
      return result;
    },
    close: () => session.release(),
  };
}

/**
 * Chunks that one lane listens to, its lead not counted. Long lanes make many calls, short ones many leads; a call costs three
 * times what a chunk in it does, and this is where the sum of both is least.
 */
function laneLength(chunks: number): number {
  return Math.min(MOST_LANE_CHUNKS, Math.ceil(Math.sqrt((chunks * leadChunks) / 3)));
}

/** Silence where the source has nothing. */
function copy(source: Float32Array, from: number, target: Float32Array, to: number, length: number): void {
  const first = Math.max(0, from);
  if (from + length > first) target.set(source.subarray(first, from + length), to + first - from);
}
