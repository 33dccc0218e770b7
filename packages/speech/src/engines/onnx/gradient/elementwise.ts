import type { Builder } from "./builder.ts";
import { type Rule, type Rules, type Step, unsupported } from "./rule.ts";

/** The gradient where a condition holds, zero elsewhere. */
export const only = (build: Builder, condition: string, gradient: string): string =>
  build.add("Where", [condition, gradient, build.number(0)]);

/** An operator of one input, by its derivative. */
const unary =
  (derivative: (step: Step, input: string) => string): Rule =>
  (step) => [() => step.build.add("Mul", [step.gradient, derivative(step, step.inputs[0] ?? "")])];

/** An operator of two inputs, each of which may be broadcast. */
const binary =
  (first: (step: Step, a: string, b: string) => string, second: typeof first): Rule =>
  (step) => {
    const [a = "", b = ""] = step.inputs;
    return [() => step.summedTo(first(step, a, b), a), () => step.summedTo(second(step, a, b), b)];
  };

const CUBE = 0.044715;
const ANGLE = Math.sqrt(2 / Math.PI);

/**
 * y = x s with s = sigmoid(2 u), u = ANGLE (x + CUBE x³), which is the form with the hyperbolic tangent. So y' = s + y (1 - s) 2 u'.
 */
const fastGelu: Rule = (step) => [
  () => {
    const { build, inputs, output, gradient } = step;
    const [x = "", bias = ""] = inputs;
    if (bias !== "") throw unsupported(step, "it has a bias");
    const square = build.add("Mul", [x, x]);
    const quadratic = (factor: number) =>
      build.add("Add", [build.add("Mul", [square, build.number(factor)]), build.number(2 * ANGLE)]);
    const share = build.add("Sigmoid", [build.add("Mul", [x, quadratic(2 * ANGLE * CUBE)])]);
    const rest = build.add("Sub", [output, build.add("Mul", [output, share])]);
    const derivative = build.add("Add", [share, build.add("Mul", [rest, quadratic(6 * ANGLE * CUBE)])]);
    return build.add("Mul", [gradient, derivative]);
  },
];

/** Operators that work on each number by itself. */
export const elementwise: Rules = {
  Identity: ({ gradient }) => [() => gradient],
  Cast: ({ build, inputs, gradient }) => [() => build.add("CastLike", [gradient, inputs[0] ?? ""])],
  Relu: ({ build, output, gradient }) => [() => only(build, build.add("Greater", [output, build.number(0)]), gradient)],
  // The bounds have no gradient. Where a number is changed, it has none either.
  Clip: ({ build, inputs, output, gradient }) => [
    () => only(build, build.add("Equal", [inputs[0] ?? "", output]), gradient),
  ],
  Tanh: unary(({ build, output }) => build.add("Sub", [build.number(1), build.add("Mul", [output, output])])),
  Exp: unary(({ output }) => output),
  Sqrt: unary(({ build, output }) => build.add("Div", [build.number(0.5), output])),
  Sin: unary(({ build }, input) => build.add("Cos", [input])),
  Cos: unary(({ build }, input) => build.add("Neg", [build.add("Sin", [input])])),
  FastGelu: fastGelu,
  Add: binary(
    ({ gradient }) => gradient,
    ({ gradient }) => gradient,
  ),
  Sub: binary(
    ({ gradient }) => gradient,
    ({ build, gradient }) => build.add("Neg", [gradient]),
  ),
  Mul: binary(
    ({ build, gradient }, _, b) => build.add("Mul", [gradient, b]),
    ({ build, gradient }, a) => build.add("Mul", [gradient, a]),
  ),
  Div: binary(
    ({ build, gradient }, _, b) => build.add("Div", [gradient, b]),
    ({ build, gradient, output }, _, b) =>
      build.add("Neg", [build.add("Div", [build.add("Mul", [gradient, output]), b])]),
  ),
};
