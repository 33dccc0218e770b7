import { convolution } from "./convolution.ts";
import { only } from "./elementwise.ts";
import { type Rule, type Rules, unsupported } from "./rule.ts";

const FLOAT32 = 1;
const MAX_BYTE = 255;
const MAX_SIGNED = 127;
/** The largest number of a row is at least this, since it is divided by it. */
const LEAST = 1e-30;

const gemm: Rule = (step) => {
  const { build, attributes, inputs, gradient } = step;
  if (attributes.integer("transA", 0) !== 0) throw unsupported(step, "its first matrix is transposed");
  const transB = 1 - attributes.integer("transB", 0);
  return [() => build.add("Gemm", [gradient, inputs[1] ?? ""], { transB }, attributes.only("alpha"))];
};

const matmul: Rule = (step) => [
  () => {
    const { build, inputs, gradient } = step;
    const [, weights = ""] = inputs;
    if (step.shapeOf(weights)?.length !== 2) throw unsupported(step, "its second input is no matrix");
    return build.add("MatMul", [gradient, build.add("Transpose", [weights], { perm: [1, 0] })]);
  },
];

/**
 * In 8 bits, as if the numbers were not rounded (the straight-through estimator). The gradient is rounded to 8 bits, too, with a
 * scale for each row, since rows differ much in size: that changes it less than the estimator does, and takes a third of the time
 * of a product of floats.
 */
const integerProduct: Rule = (step) => [
  () => {
    const { build, inputs, gradient } = step;
    const [value = "", bytes = "", , scale = "", , weightZero = ""] = inputs;
    const columns = step.shapeOf(bytes)?.[1];
    if (weightZero !== "") throw unsupported(step, "its weights have a zero point");
    if (typeof columns !== "number") throw unsupported(step, "the shape of its weights is not known");
    const scaled = build.add("Mul", [gradient, scale]);
    const rows = build.add("Reshape", [scaled, build.integers(-1, columns)]);
    const largest = build.add("ReduceMax", [build.add("Abs", [rows]), build.integers(1)], { keepdims: 0 });
    const size = build.add("Div", [build.add("Max", [largest, build.number(LEAST)]), build.number(MAX_SIGNED)]);
    const zero = build.byte(MAX_SIGNED + 1);
    const zeros = build.add("Expand", [zero, build.add("Shape", [size])]);
    const rounded = build.add("QuantizeLinear", [rows, size, zeros], { axis: 0 });
    const weights = build.add("Transpose", [bytes], { perm: [1, 0] });
    const one = build.number(1);
    const product = build.add("MatMulIntegerToFloat", [rounded, weights, one, one, zero]);
    const sized = build.add("Mul", [product, build.add("Unsqueeze", [size, build.integers(1)])]);
    return build.add("Reshape", [sized, build.add("Shape", [value])]);
  },
];

/** The gradient of bytes is that of the numbers that they stand for. Numbers outside their range have none. */
const quantize: Rule = (step) => [
  () => {
    const { build, inputs, gradient } = step;
    const [value = "", size = "", zero = ""] = inputs;
    if (zero === "") throw unsupported(step, "it has no zero point");
    const middle = build.add("Cast", [zero], { to: FLOAT32 });
    const least = build.add("Mul", [build.add("Neg", [middle]), size]);
    const most = build.add("Mul", [build.add("Sub", [build.number(MAX_BYTE), middle]), size]);
    const inside = build.add("Clip", [value, least, most]);
    return only(build, build.add("Equal", [value, inside]), gradient);
  },
];

/** Products with weights. The weights have no gradient. */
export const products: Rules = {
  Gemm: gemm,
  MatMul: matmul,
  MatMulIntegerToFloat: integerProduct,
  QuantizeLinear: quantize,
  Conv: convolution,
};
