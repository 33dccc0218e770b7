import type { FuseNode, NodeIndex } from "./node-index.ts";

/** Finds the group that begins with a node. The new nodes compute the last output of the old ones. */
export type Pattern = (node: FuseNode, index: NodeIndex) => Match | undefined;

interface Match {
  readonly old: readonly FuseNode[];
  readonly new: readonly FuseNode[];
}

/** onnxruntime's own operators. */
const OWN_DOMAIN = "com.microsoft";
const PRODUCT = "MatMulIntegerToFloat";
/** Inputs of a product: both matrices, both scales, both zeros, the bias. */
const SCALE = 3;
const BIAS = 6;

const makeNode = (type: string, domain: string, inputs: readonly string[], output: string): FuseNode => ({
  type,
  domain,
  inputs,
  outputs: [output],
  attributes: [],
});

export const outputOf = (node: FuseNode | undefined): string => node?.outputs[0] ?? "";

/** The other input of a node of two that uses this one. */
function other(node: FuseNode | undefined, name: string): string {
  const [a = "", b = ""] = node?.inputs ?? [];
  if (a === name) return b;
  return b === name ? a : "";
}

/** The only user of a value, if it is an operator of this type. */
function next(name: string, type: string, index: NodeIndex): FuseNode | undefined {
  const user = index.onlyUser(name);
  return user?.type === type ? user : undefined;
}

/** A product of matrices and the bias that is added to it. */
export const fuseBias: Pattern = (node, index) => {
  const add = node.type === PRODUCT && node.inputs.length < BIAS ? next(outputOf(node), "Add", index) : undefined;
  const bias = other(add, outputOf(node));
  if (!add || !index.isWeight(bias)) return undefined;
  const inputs = [...node.inputs, ...Array.from({ length: BIAS - node.inputs.length }, () => ""), bias];
  return { old: [node, add], new: [makeNode(PRODUCT, OWN_DOMAIN, inputs, outputOf(add))] };
};

/** A product of matrices with a bias, and the weights that multiply it: these are joined once, when the model is loaded. */
export const fuseScale: Pattern = (node, index) => {
  const mul = node.type === PRODUCT && node.inputs.length > BIAS ? next(outputOf(node), "Mul", index) : undefined;
  const factor = other(mul, outputOf(node));
  const [scale = "", bias = ""] = [node.inputs[SCALE], node.inputs[BIAS]];
  if (!mul || !index.isWeight(factor) || !index.isWeight(scale)) return undefined;
  const output = outputOf(mul);
  const both = makeNode("Mul", "", [scale, factor], `${output}.scale`);
  const shifted = makeNode("Mul", "", [bias, factor], `${output}.bias`);
  const inputs = node.inputs.with(SCALE, outputOf(both)).with(BIAS, outputOf(shifted));
  return { old: [node, mul], new: [both, shifted, makeNode(PRODUCT, OWN_DOMAIN, inputs, output)] };
};

/** A normalization without weights, multiplied and shifted by vectors: the vectors become its weights. */
export const fuseModulation: Pattern = (node, index) => {
  const [input = "", one = "", zero = ""] = node.inputs;
  if (node.type !== "LayerNormalization" || !index.isConstant(one, 1) || !index.isConstant(zero, 0)) return undefined;
  const mul = next(outputOf(node), "Mul", index);
  const add = mul && next(outputOf(mul), "Add", index);
  const [scale, shift] = [other(mul, outputOf(node)), other(add, outputOf(mul))];
  if (!add || !mul || !isSliceOrSum(scale, index) || !isSliceOrSum(shift, index)) return undefined;
  const output = outputOf(add);
  const vector = (name: string, part: string) => makeNode("Squeeze", "", [name], `${output}.${part}`);
  const [weight, bias] = [vector(scale, "scale"), vector(shift, "shift")];
  const inputs = [input, outputOf(weight), outputOf(bias)];
  return { old: [node, mul, add], new: [weight, bias, { ...node, inputs, outputs: [output] }] };
};

/** A part of the one vector that a text is conditioned by, or 1 plus such a part. */
function isSliceOrSum(name: string, index: NodeIndex): boolean {
  const node = index.producer(name);
  if (node?.type !== "Add") return node?.type === "Slice";
  const [a = "", b = ""] = node.inputs;
  return index.isConstant(b, 1) && index.producer(a)?.type === "Slice";
}

/** The steps after x², each with what is multiplied or added. */
const geluSteps: readonly (readonly [type: string, operand: number | "x" | undefined])[] = [
  ["Mul", "x"],
  ["Mul", 0.044715],
  ["Add", "x"],
  ["Mul", Math.sqrt(2 / Math.PI)],
  ["Tanh", undefined],
  ["Add", 1],
  ["Mul", "x"],
  ["Mul", 0.5],
];

/** The approximation of GELU by a hyperbolic tangent, as PyTorch writes it: x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))). */
export const fuseGelu: Pattern = (square, index) => {
  const [x = "", again = ""] = square.inputs;
  if (square.type !== "Mul" || x !== again) return undefined;
  const old = [square];
  for (const [type, operand] of geluSteps) {
    const before = outputOf(old.at(-1));
    const node = next(before, type, index);
    if (!node) return undefined;
    const found = other(node, before);
    if (operand === "x" ? found !== x : operand !== undefined && !index.isConstant(found, operand)) return undefined;
    old.push(node);
  }
  return { old, new: [makeNode("FastGelu", OWN_DOMAIN, [x], outputOf(old.at(-1)))] };
};
