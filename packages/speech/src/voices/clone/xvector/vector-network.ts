import { writeAttribute } from "../../../engines/onnx/graph.ts";
import { MIN_VARIANCE, type XVectorLayers } from "./layers.ts";
import { FEATURES, frameLayers } from "./network.ts";
import { integers, modelOf, node, tensor } from "./write-model.ts";

const FLOAT32 = 1;

/**
 * All layers as one ONNX model: `features` in, `vector` [1, 128] of length 1 out. With the pooling and the last layers in it, the
 * network gives a gradient in a single run.
 */
export function vectorNetwork({ components, linear, bias, mean, transform }: XVectorLayers): Uint8Array {
  const { nodes, weights } = frameLayers(components);
  const transposed = writeAttribute("transB", 1);
  const average = (value: string, output: string) => [
    node("ReduceSum", [value, "over.frames"], `${output}.sum`),
    node("Div", [`${output}.sum`, "count"], output),
  ];
  return modelOf({
    nodes: [
      ...nodes,
      node("Shape", ["frames"], "count.integer", writeAttribute("start", 2)),
      node("Cast", ["count.integer"], "count", writeAttribute("to", FLOAT32)),
      ...average("frames", "mean"),
      node("Sub", ["frames", "mean"], "centred"),
      node("Mul", ["centred", "centred"], "squares"),
      ...average("squares", "variance"),
      node("Clip", ["variance", "least.variance"], "limited"),
      node("Sqrt", ["limited"], "deviation"),
      node("Concat", ["mean", "deviation"], "pooled.column", writeAttribute("axis", 1)),
      node("Squeeze", ["pooled.column", "over.frames"], "pooled"),
      node("Gemm", ["pooled", "last.weight", "last.offset"], "affine", transposed),
      node("Gemm", ["affine", "transform"], "transformed", transposed),
      node("Mul", ["transformed", "transformed"], "transformed.squares"),
      node("ReduceSum", ["transformed.squares", "over.channels"], "square.length"),
      node("Sqrt", ["square.length"], "length"),
      node("Div", ["transformed", "length"], "vector"),
    ],
    weights: [
      ...weights,
      integers("over.frames", [2]),
      integers("over.channels", [1]),
      tensor("least.variance", [], Float32Array.of(MIN_VARIANCE)),
      tensor("last.weight", [linear.rows, linear.columns], linear.values),
      tensor(
        "last.offset",
        [linear.rows],
        bias.map((value, i) => value - (mean[i] ?? 0)),
      ),
      tensor("transform", [transform.rows, transform.columns], transform.values),
    ],
    inputs: [FEATURES],
    outputs: [{ name: "vector", type: "float32", shape: [1, transform.rows] }],
  });
}
