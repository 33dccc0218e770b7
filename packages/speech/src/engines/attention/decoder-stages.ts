import { type NewNode, parseGraph, type TensorPort } from "../onnx/graph.ts";

/*
 * The decoders of Moonshine and Whisper come as one file with an `If`: the first token computes what the encoder said once
 * more, later ones take it from a cache. Run as it is, each token costs three times what it must: the whole vocabulary is
 * turned and made floats again, and the keys of the audio are turned again. So the file is cut in two. `cross` turns what the
 * encoder said into keys and values, once for a recording. `step` is one token, the first like any other.
 */

/** A decoder's size, and what its exporter called the values that the cut goes through. */
export interface DecoderDescription {
  readonly layers: number;
  readonly heads: number;
  /** Numbers per head. */
  readonly headWidth: number;
  /** Entries of the vocabulary. */
  readonly vocabulary: number;
  /** What the last layer says, before it is compared with the vocabulary. */
  readonly lastHidden: string;
  /** The keys of the audio, turned for the product: as the first token names them and as later ones do. */
  readonly keys: { made(layer: number): string; taken(layer: number): string; readonly shape: TensorPort["shape"] };
  /** Numbers that the cut-off part of the graph would have given. */
  crossNumbers(layer: number): readonly GivenNumber[];
  stepNumbers(layer: number, frames: number): readonly GivenNumber[];
  /** Where each audio frame's share of a layer's attention is found. */
  attention(layer: number): string;
  /** Layers whose attention is wanted. */
  readonly attentionLayers: readonly number[];
}

export interface GivenNumber {
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
  madeValue: (layer: number) => `present.${layer}.encoder.value`,
  takenValue: (layer: number) => `past_key_values.${layer}.encoder.value`,
};

const embedding = (part: string) => `model.decoder.embed_tokens.weight_merged_0_${part}`;
const keyAndValue = ["key", "value"] as const;

export function cutDecoder(
  file: Uint8Array,
  about: DecoderDescription,
): { readonly cross: Uint8Array; readonly step: Uint8Array } {
  const graph = parseGraph(file);
  const layers = Array.from({ length: about.layers }, (_, layer) => layer);
  const tensor = (name: string, ...shape: (number | string)[]): TensorPort => ({ name, type: "float32", shape });
  const scalar = ({ name, type }: GivenNumber): TensorPort => ({ name, type, shape: [] });
  const values = (name: string) => tensor(name, 1, about.heads, "frames", about.headWidth);
  const past = (name: string, length: string) => tensor(name, 1, about.heads, length, about.headWidth);

  const cross = graph.branch("else_branch").cut(
    [
      tensor(tensorNames.audio, 1, "frames", about.heads * about.headWidth),
      ...layers.flatMap((layer) => about.crossNumbers(layer).map(scalar)),
    ],
    layers.flatMap((layer) => [
      tensor(about.keys.made(layer), ...about.keys.shape),
      values(tensorNames.madeValue(layer)),
    ]),
  );
  const step = graph
    .branch("then_branch")
    .cut(
      [
        { name: tensorNames.token, type: "int64", shape: [1, 1] },
        ...layers.flatMap((layer) => [
          ...keyAndValue.map((what) => past(tensorNames.pastSelf(layer, what), "past")),
          tensor(about.keys.taken(layer), ...about.keys.shape),
          values(tensorNames.takenValue(layer)),
          ...about.stepNumbers(layer, 0).map(scalar),
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

/** The comparison with the vocabulary in whole numbers, as everywhere else in the model. */
function scoresOf(hidden: string): NewNode[] {
  return [
    { type: "Transpose", inputs: [embedding("quantized")], outputs: ["vocabulary_turned"] },
    {
      type: "DynamicQuantizeLinear",
      inputs: [hidden],
      outputs: ["hidden_quantized", "hidden_scale", "hidden_zero_point"],
    },
    {
      type: "MatMulInteger",
      inputs: ["hidden_quantized", "vocabulary_turned", "hidden_zero_point", embedding("zero_point")],
      outputs: ["scores_whole"],
    },
    { type: "Cast", inputs: ["scores_whole"], outputs: ["scores_float"], attributes: { to: 1 } },
    { type: "Mul", inputs: ["hidden_scale", embedding("scale")], outputs: ["scores_scale"] },
    { type: "Mul", inputs: ["scores_float", "scores_scale"], outputs: [tensorNames.scores] },
  ];
}
