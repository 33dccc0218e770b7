import type { DecoderDescription } from "../attention/decoder-stages.ts";

const crossAttention = (layer: number) => `/model/decoder/layers.${layer}/encoder_attn`;
const headWidth = 52;

/** Moonshine base, with the names of its ONNX export. */
export const moonshineDecoder: DecoderDescription = {
  layers: 8,
  heads: 8,
  headWidth,
  vocabulary: 32_768,
  lastHidden: "/model/decoder/norm/Mul_output_0",
  keys: {
    output: (layer) => `${crossAttention(layer)}/Mul_1_output_0`,
    input: (layer) => `${crossAttention(layer)}/Mul_1_output_0`,
    shape: [1, 8, headWidth, "frames"],
  },
  crossConstants: (layer) => [
    { name: `${crossAttention(layer)}/Gather_output_0`, type: "int64", value: 1 },
    // Half of the scale is applied to the keys, half to the queries.
    { name: `${crossAttention(layer)}/Sqrt_2_output_0`, type: "float32", value: headWidth ** -0.25 },
  ],
  stepConstants: () => [],
  attention: (layer) => `${crossAttention(layer)}/Softmax_output_0`,
  attentionLayers: [],
};
