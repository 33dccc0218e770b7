import { outputOf, type Pattern } from "./fuse-patterns.ts";
import { writeAttribute } from "./graph.ts";
import type { FuseNode } from "./node-index.ts";

/** Patterns of models whose values are [1, rows, channels]. */

const FLOAT32 = 1;

/**
 * The normalization of each row. onnxruntime computes `LayerNormalization` number by number, but that of a channel with several
 * numbers at a time: so each row is taken for a channel. The sums are rounded differently: it is not for networks whose results
 * are rounded to whole numbers.
 */
export const normalizeRows: Pattern = (node) => {
  const [input = "", weight = "", bias = ""] = node.inputs;
  if (node.type !== "LayerNormalization" || bias === "") return undefined;
  const output = outputOf(node);
  const nodes: FuseNode[] = [];
  const add = (type: string, inputs: readonly string[], part: string, attributes: readonly Uint8Array[] = []) => {
    nodes.push({ type, domain: "", inputs, outputs: [`${output}.${part}`], attributes });
    return `${output}.${part}`;
  };
  const rows = add("Shape", [input], "rows", [writeAttribute("start", 1), writeAttribute("end", 2)]);
  const integer = add("Constant", [], "integer", [writeAttribute("value_ints", [1])]);
  const one = add("Cast", [integer], "one", [writeAttribute("to", FLOAT32)]);
  const ones = add("Expand", [one, rows], "ones");
  const zeros = add("ConstantOfShape", [rows], "zeros");
  const epsilon = node.attributes.filter((attribute) => Buffer.from(attribute).includes("epsilon"));
  const normal = add("InstanceNormalization", [input, ones, zeros], "normal", epsilon);
  const scaled = add("Mul", [normal, weight], "scaled");
  const shifted = { type: "Add", domain: "", inputs: [scaled, bias], outputs: [output], attributes: [] };
  return { old: [node], new: [...nodes, shifted] };
};

/**
 * The rows around each row, side by side, in 8 bits. They are slices of the same values, so the values are rounded before that,
 * once instead of once a slice, and a quarter of the bytes is moved. The result is the same: the step size depends on the
 * smallest and the largest value and on zero, which the padding is.
 */
export const quantizeBeforeTaps: Pattern = (node, index) => {
  const taps = node.type === "DynamicQuantizeLinear" ? index.producer(node.inputs[0] ?? "") : undefined;
  if (taps?.type !== "Concat") return undefined;
  const slices = taps.inputs.flatMap((name) => index.producer(name) ?? []);
  const pad = index.producer(slices[0]?.inputs[0] ?? "");
  const isTap = (slice: FuseNode) => slice.type === "Slice" && slice.inputs[0] === outputOf(pad);
  if (pad?.type !== "Pad" || slices.length !== taps.inputs.length || !slices.every(isTap)) return undefined;
  const [values = "", margins = "", padding = "", ...axes] = pad.inputs;
  if (padding !== "" && !index.isConstant(padding, 0)) return undefined;
  const old = [pad, ...slices, taps, node];
  if (!old.slice(0, -1).every((each) => index.isUsedOnlyBy(outputOf(each), old))) return undefined;
  const [output = "", scale = "", zero = ""] = node.outputs;
  const rounded = { ...node, inputs: [values], outputs: [`${output}.values`, scale, zero] };
  const padded = { ...pad, inputs: [`${output}.values`, margins, zero, ...axes], outputs: [`${output}.padded`] };
  const parts = slices.map((slice, i) => ({
    ...slice,
    inputs: [outputOf(padded), ...slice.inputs.slice(1)],
    outputs: [`${output}.tap-${i}`],
  }));
  const joined = { ...taps, inputs: parts.map(outputOf), outputs: [output] };
  return { old, new: [rounded, padded, ...parts, joined] };
};
