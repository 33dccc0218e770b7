import type { Tensor } from "onnxruntime-node";
import { addInputs } from "../../onnx/add-inputs.ts";
import { fuseNodes } from "../../onnx/fuse.ts";
import { floats } from "../../session.ts";
import { BLOCKS, CHANNELS } from "./shape.ts";

/** What the network returns, for each frame. */
export const OUTPUTS = ["gain_re", "gain_im", "noise_gain", "free_re", "free_im"] as const;

/** Inputs that are added to the modulation that each block makes of the condition. */
export const MODULATION: readonly string[] = Array.from({ length: BLOCKS }, (_, block) => `modulation.${block}`);
/** Factors and offsets of a block. */
export const MODULATION_SIZE = 2 * CHANNELS;
/** How many numbers a voice adds inside the decoder: those of one block after the other. Zeros leave it as its timbre makes it. */
export const DECODER_OFFSETS = MODULATION.length * MODULATION_SIZE;

/** The network with offsets of what depends on the voice, as further inputs. */
export function withOffsets(file: Uint8Array): Uint8Array {
  const inputs = MODULATION.map((name, block) => ({
    value: `/model/blocks.${block}/modulate/Gemm_output_0`,
    input: { name, type: "float32", shape: [1, MODULATION_SIZE] } as const,
  }));
  return fuseNodes(addInputs(file, inputs));
}

/** The offsets of a voice as inputs of the network. They share the memory of the array. Throws where it holds something else. */
export function offsetTensors(offsets: Float32Array): Readonly<Record<string, Tensor>> {
  if (offsets.length !== DECODER_OFFSETS || !offsets.every(Number.isFinite))
    throw new Error(`the decoder offsets of a voice of Kokoro are ${DECODER_OFFSETS} finite numbers`);
  return Object.fromEntries(
    MODULATION.map((name, block) => {
      const values = offsets.subarray(block * MODULATION_SIZE, (block + 1) * MODULATION_SIZE);
      return [name, floats(values, 1, MODULATION_SIZE)];
    }),
  );
}
