import { Tensor } from "onnxruntime-node";
import { readGraph } from "../onnx/read-graph.ts";
import { floats, openSession } from "../session.ts";
import { logMel, melBands, samplesPerColumn } from "./mel.ts";

/** Columns of the mel spectrogram per frame. */
const COLUMNS_PER_FRAME = 2;
export const whisperFrameSeconds = (COLUMNS_PER_FRAME * samplesPerColumn) / 16_000;
/** The maximum input of the model: 30 seconds. */
export const maxFrames = 1500;

export interface WhisperEncoder {
  /** Encodes samples, padded with silence: [1, frames, width]. */
  encode(samples: Float32Array, frames: number): Promise<Tensor>;
  close(): Promise<void>;
}

/*
 * Whisper always encodes 30 seconds, padded with silence. Only the table of positions, whose length is fixed, needs that. As an
 * input the table may be shorter, and a short phrase costs a fraction. The attention outputs of this export (70 MB for each
 * layer) are removed.
 */
export async function loadEncoder(file: string, width: number, threads: number): Promise<WhisperEncoder> {
  const graph = await readGraph(file);
  const positions = graph.weights("embed_positions.weight");
  const stage = graph.cut(
    [
      { name: "input_features", type: "float32", shape: [1, melBands, "columns"] },
      { name: "embed_positions.weight", type: "float32", shape: ["frames", width] },
    ],
    [{ name: "last_hidden_state", type: "float32", shape: [1, "frames", width] }],
  );
  const session = await openSession(stage, threads, { keepMemory: false });
  return {
    async encode(samples, frames) {
      const columns = frames * COLUMNS_PER_FRAME;
      const { last_hidden_state: encoded } = await session.run({
        input_features: floats(logMel(samples, columns), 1, melBands, columns),
        "embed_positions.weight": floats(positions.subarray(0, frames * width), frames, width),
      });
      if (!(encoded instanceof Tensor)) throw new Error("the speech encoder has no output");
      return encoded;
    },
    close: () => session.release(),
  };
}
