import type { Tensor } from "onnxruntime-node";
import { addInputs } from "../../onnx/add-inputs.ts";
import { fuseNodes } from "../../onnx/fuse.ts";
import { floats } from "../../session.ts";
import { BINS, BLOCKS, CHANNELS } from "./shape.ts";

/** What the network returns, for each frame. */
export const OUTPUTS = ["gain_re", "gain_im", "noise_gain", "free_re", "free_im"] as const;

/** Inputs that are added to what the network makes of the condition: see `inputs`. */
export const MODULATION: readonly string[] = Array.from({ length: BLOCKS }, (_, block) => `modulation.${block}`);
export const LEVELS = "levels";
/** Factors and offsets of a block. */
export const MODULATION_SIZE = 2 * CHANNELS;
export const LEVELS_SIZE = OUTPUTS.length * BINS;

const ALL_MODULATION = MODULATION.length * MODULATION_SIZE;
/** How many numbers a voice adds inside the decoder. */
export const DECODER_OFFSETS = ALL_MODULATION + LEVELS_SIZE;

/** What a voice adds inside the decoder. Zeros leave the voice as its timbre makes it. */
export interface DecoderOffsets {
  /** Offsets of the factors and offsets of each block, one block after the other. */
  readonly modulation: Float32Array;
  /** Offsets of the levels of each frequency, one output after the other. */
  readonly levels: Float32Array;
}

const inputs = [
  ...MODULATION.map((name, block) => ({
    value: `/model/blocks.${block}/modulate/Gemm_output_0`,
    input: { name, type: "float32", shape: [1, MODULATION_SIZE] } as const,
  })),
  {
    value: "/model/leave_by_voice/MatMul_output_0",
    input: { name: LEVELS, type: "float32", shape: [1, LEVELS_SIZE] } as const,
  },
];

/** The network with offsets of what depends on the voice, as further inputs. */
export function withOffsets(file: Uint8Array): Uint8Array {
  return fuseNodes(addInputs(file, inputs));
}

/** Parts of the array in which a voice has its offsets. Throws where it holds something else. */
export function splitOffsets(offsets: Float32Array): DecoderOffsets {
  if (offsets.length !== DECODER_OFFSETS || !offsets.every(Number.isFinite))
    throw new Error(`the decoder offsets of a voice of Kokoro are ${DECODER_OFFSETS} finite numbers`);
  return { modulation: offsets.subarray(0, ALL_MODULATION), levels: offsets.subarray(ALL_MODULATION) };
}

export function joinOffsets({ modulation, levels }: DecoderOffsets): Float32Array {
  const offsets = new Float32Array(DECODER_OFFSETS);
  offsets.set(modulation);
  offsets.set(levels, ALL_MODULATION);
  return offsets;
}

/** The offsets as inputs of the network. They share the memory of the arrays. */
export function offsetTensors({ modulation, levels }: DecoderOffsets): Readonly<Record<string, Tensor>> {
  const blocks = MODULATION.map((name, block) => {
    const values = modulation.subarray(block * MODULATION_SIZE, (block + 1) * MODULATION_SIZE);
    return [name, floats(values, 1, MODULATION_SIZE)] as const;
  });
  return { ...Object.fromEntries(blocks), [LEVELS]: floats(levels, 1, LEVELS_SIZE) };
}

/** Those of a voice that is a timbre alone. */
export const noOffsets = splitOffsets(new Float32Array(DECODER_OFFSETS));
