import { readFile } from "node:fs/promises";
import { Tensor } from "onnxruntime-node";
import { parseGraph } from "../onnx/graph.ts";
import { floats, openSession } from "../session.ts";
import { logMel, melBands, samplesPerColumn } from "./mel.ts";

/** Columns of the mel picture that become one frame. */
const COLUMNS_PER_FRAME = 2;
export const whisperFrameSeconds = (COLUMNS_PER_FRAME * samplesPerColumn) / 16_000;
/** The model's whole view: 30 seconds. */
export const mostFrames = 1500;

export interface WhisperEncoder {
  /** What the model hears in the samples and in the silence after them, [1, frames, width]. */
  encode(samples: Float32Array, frames: number): Promise<Tensor>;
  close(): Promise<void>;
}

/*
 * Whisper always looks at 30 seconds, and pads with silence. Nothing in it needs that but the table of positions, whose
 * length is fixed. Given from outside, the table may be shorter, and a short phrase costs a fraction. The attention tables,
 * which this export gives out as well (70 MB for each layer), are cut off.
 */
export async function loadEncoder(file: string, width: number, threads: number): Promise<WhisperEncoder> {
  const graph = parseGraph(await readFile(file));
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
      if (!(encoded instanceof Tensor)) throw new Error("the speech encoder gave nothing");
      return encoded;
    },
    close: () => session.release(),
  };
}
