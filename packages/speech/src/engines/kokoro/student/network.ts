import { readFile } from "node:fs/promises";
import type { Tensor } from "onnxruntime-node";
import { CARRIED, carryRows } from "../../onnx/carry-rows.ts";
import { fuseNodes } from "../../onnx/fuse.ts";
import { withModelFile } from "../../onnx/read-graph.ts";
import { normalizeRows } from "../../onnx/row-patterns.ts";
import { floats, floatsOf, type InferenceSession, openSession } from "../../session.ts";
import { DECODER_OFFSETS, offsetTensors, withOffsets } from "./offsets.ts";
import { BLOCKS, CHANNELS, CONDITION, CONTEXT, FEATURES, REPEATED } from "./shape.ts";

/** The filter of each frame for source and noise: rows of BINS numbers. */
export interface Shaping {
  readonly gainRe: Float32Array;
  readonly gainIm: Float32Array;
  readonly noiseGain: Float32Array;
  readonly freeRe: Float32Array;
  readonly freeIm: Float32Array;
}

/** What the network keeps of the frames so far. */
export type StudentState = Tensor;

export interface ShapeOptions {
  /** Of the call before. */
  readonly state?: StudentState | undefined;
  /** Of the voice, as `offsetTensors` gives them. */
  readonly offsets?: Readonly<Record<string, Tensor>> | undefined;
}

export interface StudentNetwork {
  /**
   * `features` are rows of FEATURES numbers, with CONTEXT rows before the first frame and after the last. With the state of the
   * call before they continue there: with the last REPEATED of its rows, and no other context before.
   */
  shape(
    features: Float32Array,
    condition: Float32Array,
    options?: ShapeOptions,
  ): Promise<{ readonly shaping: Shaping; readonly state: StudentState }>;
  close(): Promise<void>;
}

/** Each block has a convolution over seven rows. */
const ROWS = { convolutions: BLOCKS, rows: 6, channels: CHANNELS };

export async function loadStudentNetwork(model: string, threads: number): Promise<StudentNetwork> {
  const bytes = await readFile(model);
  const session = await withModelFile(model, () =>
    openSession(carryRows(fuseNodes(withOffsets(bytes), [normalizeRows]), ROWS), threads),
  );
  const none = floats(new Float32Array(0), BLOCKS, 0, CHANNELS);
  const zeros = offsetTensors(new Float32Array(DECODER_OFFSETS));
  return {
    async shape(features, condition, { state, offsets = zeros } = {}) {
      const rows = features.length / FEATURES;
      const context = state ? REPEATED : 2 * CONTEXT;
      if (rows <= context) throw new RangeError(`${rows} rows contain no frame: ${context} are context`);
      const outputs = await session.run({
        features: floats(features, 1, rows, FEATURES),
        condition: floats(condition, 1, CONDITION),
        [CARRIED.input]: state ?? none,
        ...offsets,
      });
      const next = outputs[CARRIED.output];
      if (!next) throw new Error("the network has returned no state");
      return { shaping: shapingOf(outputs), state: next };
    },
    close: () => session.release(),
  };
}

/** The filters among the outputs of the network. */
export function shapingOf(outputs: InferenceSession.OnnxValueMapType): Shaping {
  return {
    gainRe: floatsOf(outputs, "gain_re"),
    gainIm: floatsOf(outputs, "gain_im"),
    noiseGain: floatsOf(outputs, "noise_gain"),
    freeRe: floatsOf(outputs, "free_re"),
    freeIm: floatsOf(outputs, "free_im"),
  };
}
