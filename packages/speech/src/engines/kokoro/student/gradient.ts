import { addInputs } from "../../onnx/add-inputs.ts";
import { fuseNodes } from "../../onnx/fuse.ts";
import { withGradient } from "../../onnx/gradient/gradient.ts";
import { normalizeRows } from "../../onnx/row-patterns.ts";
import { BINS } from "./shape.ts";

const BLOCKS = 8;
const CHANNELS = 448;
/** Factors and offsets of a block. */
export const MODULATION_SIZE = 2 * CHANNELS;

/** What the network returns, for each frame. */
export const OUTPUTS = ["gain_re", "gain_im", "noise_gain", "free_re", "free_im"] as const;

/** Inputs that are added to what the network makes of the condition: see `offsets`. */
export const MODULATION: readonly string[] = Array.from({ length: BLOCKS }, (_, block) => `modulation.${block}`);
export const LEVELS = "levels";

/** The factors and offsets of each block, and the levels of each frequency in each output. Zeros leave the voice as it is. */
const offsets = [
  ...MODULATION.map((name, block) => ({
    value: `/model/blocks.${block}/modulate/Gemm_output_0`,
    input: { name, type: "float32", shape: [1, MODULATION_SIZE] } as const,
  })),
  {
    value: "/model/leave_by_voice/MatMul_output_0",
    input: { name: LEVELS, type: "float32", shape: [1, OUTPUTS.length * BINS] } as const,
  },
];

/** The network with offsets of what depends on the voice, as further inputs. */
export function withOffsets(file: Uint8Array): Uint8Array {
  return fuseNodes(addInputs(file, offsets));
}

/** The network with offsets, and its gradient by everything that depends on the voice. */
export function withVoiceGradient(file: Uint8Array): Uint8Array {
  const model = withGradient(withOffsets(file), { of: OUTPUTS, by: ["condition", ...MODULATION, LEVELS] });
  return fuseNodes(model, [normalizeRows]);
}
