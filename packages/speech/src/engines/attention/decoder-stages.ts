import { type NewNode, parseGraph, type TensorPort } from "../onnx/graph.ts";

/*
 * The decoders come as one file with an `If`: the first token computes keys and values of the encoder's output, later tokens
 * take them from a cache. Run as it is, each token costs three times as much as necessary: the whole vocabulary is transposed
 * and dequantized again, and the keys are transposed again. So the graph is split in two. `cross` computes keys and values,
 * once for a recording. `step` computes one token, the first like any other.
 */

/** The size of a decoder, and the names of the values at which its graph is split. */
export interface DecoderDescription {
  readonly layers: number;
  readonly heads: number;
  /** Numbers per head. */
  readonly headWidth: number;
  /** Entries of the vocabulary. */
  readonly vocabulary: number;
  /** The output of the last layer, before the comparison with the vocabulary. */
  readonly lastHidden: string;
  /** The transposed keys of the audio: their names in the branch of the first token and in that of later ones. */
  readonly keys: { output(layer: number): string; input(layer: number): string; readonly shape: TensorPort["shape"] };
  /** Constants that the removed part of the graph would have computed. */
  crossConstants(layer: number): readonly GraphConstant[];
  stepConstants(layer: number, frames: number): readonly GraphConstant[];
  /** The name of the attention weights of a layer over the audio frames. */
  attention(layer: number): string;
  /** Layers whose attention is needed. */
  readonly attentionLayers: readonly number[];
}

export interface GraphConstant {
  readonly name: string;
  readonly type: "float32" | "int64";
  readonly value: number;
}

export const tensorNames = {
  audio: "encoder_hidden_states",
  token: "input_ids",
  scores: "scores",
  pastSelf: (layer: number, what: "key" | "value") => `past_key_values.${layer}.decoder.${what}`,
  nextSelf: (layer: number, what: "key" | "value") => `present.${layer}.decoder.${what}`,
  outputValue: (layer: number) => `present.${layer}.encoder.value`,
  inputValue: (layer: number) => `past_key_values.${layer}.encoder.value`,
};

const embedding = (part: string) => `model.decoder.embed_tokens.weight_merged_0_${part}`;
const keyAndValue = ["key", "value"] as const;

export function splitDecoder(
  file: Uint8Array,
  about: DecoderDescription,
): { readonly cross: Uint8Array; readonly step: Uint8Array } {
  const graph = parseGraph(file);
  const layers = Array.from({ length: about.layers }, (_, layer) => layer);
  const tensor = (name: string, ...shape: (number | string)[]): TensorPort => ({ name, type: "float32", shape });
  const scalar = ({ name, type }: GraphConstant): TensorPort => ({ name, type, shape: [] });
  const values = (name: string) => tensor(name, 1, about.heads, "frames", about.headWidth);
  const past = (name: string, length: string) => tensor(name, 1, about.heads, length, about.headWidth);

  const cross = graph.branch("else_branch").cut(
    [
      tensor(tensorNames.audio, 1, "frames", about.heads * about.headWidth),
      ...layers.flatMap((layer) => about.crossConstants(layer).map(scalar)),
    ],
    layers.flatMap((layer) => [
      tensor(about.keys.output(layer), ...about.keys.shape),
      values(tensorNames.outputValue(layer)),
    ]),
  );
  const step = graph
    .branch("then_branch")
    .cut(
      [
        { name: tensorNames.token, type: "int64", shape: [1, 1] },
        ...layers.flatMap((layer) => [
          ...keyAndValue.map((what) => past(tensorNames.pastSelf(layer, what), "past")),
          tensor(about.keys.input(layer), ...about.keys.shape),
          values(tensorNames.inputValue(layer)),
          ...about.stepConstants(layer, 0).map(scalar),
        ]),
      ],
      [
        tensor(tensorNames.scores, 1, 1, about.vocabulary),
        ...layers.flatMap((layer) => keyAndValue.map((what) => past(tensorNames.nextSelf(layer, what), "length"))),
        ...about.attentionLayers.map((layer) => tensor(about.attention(layer), "heads", "one", "frames")),
      ],
      scoresOf(about.lastHidden),
    );
  return { cross, step };
}

/** The stage that computes the state after several tokens at once, from the branch of the first token. */
export function promptStage(file: Uint8Array, about: DecoderDescription): Uint8Array {
  return parseGraph(file).branch("else_branch").cut(promptInputs(about), promptState(about));
}

/** The same, with all that `cross` and `step` would have computed for these tokens. */
export function draftStage(file: Uint8Array, about: DecoderDescription): Uint8Array {
  const tensor = (name: string, ...shape: (number | string)[]): TensorPort => ({ name, type: "float32", shape });
  return parseGraph(file)
    .branch("else_branch")
    .cut(
      promptInputs(about),
      [
        ...promptState(about),
        ...Array.from({ length: about.layers }, (_, layer) => [
          tensor(about.keys.output(layer), ...about.keys.shape),
          tensor(tensorNames.outputValue(layer), 1, about.heads, "frames", about.headWidth),
        ]).flat(),
        tensor(tensorNames.scores, 1, "tokens", about.vocabulary),
        ...about.attentionLayers.map((layer) => tensor(about.attention(layer), "heads", "tokens", "frames")),
      ],
      scoresOf(about.lastHidden),
    );
}

function promptInputs(about: DecoderDescription): TensorPort[] {
  return [
    { name: tensorNames.token, type: "int64", shape: [1, "tokens"] },
    { name: tensorNames.audio, type: "float32", shape: [1, "frames", about.heads * about.headWidth] },
  ];
}

function promptState(about: DecoderDescription): TensorPort[] {
  const shape = [1, about.heads, "tokens", about.headWidth];
  return Array.from({ length: about.layers }, (_, layer) =>
    keyAndValue.map((what): TensorPort => ({ name: tensorNames.nextSelf(layer, what), type: "float32", shape })),
  ).flat();
}

/** The comparison with the vocabulary in integers, as in the rest of the model. */
function scoresOf(hidden: string): NewNode[] {
  return [
    { type: "Transpose", inputs: [embedding("quantized")], outputs: ["vocabulary_transposed"] },
    {
      type: "DynamicQuantizeLinear",
      inputs: [hidden],
      outputs: ["hidden_quantized", "hidden_scale", "hidden_zero_point"],
    },
    {
      type: "MatMulInteger",
      inputs: ["hidden_quantized", "vocabulary_transposed", "hidden_zero_point", embedding("zero_point")],
      outputs: ["scores_integer"],
    },
    { type: "Cast", inputs: ["scores_integer"], outputs: ["scores_float"], attributes: { to: 1 } },
    { type: "Mul", inputs: ["hidden_scale", embedding("scale")], outputs: ["scores_scale"] },
    { type: "Mul", inputs: ["scores_float", "scores_scale"], outputs: [tensorNames.scores] },
  ];
}
