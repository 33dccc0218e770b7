import { type Rule, type Rules, type Step, unsupported } from "./rule.ts";

/** A reduced value with its axes back, of length 1. */
function withAxes({ build, attributes, inputs }: Step, reduced: string): string {
  return attributes.integer("keepdims", 1) === 1 ? reduced : build.add("Unsqueeze", [reduced, inputs[1] ?? ""]);
}

const FLOAT32 = 1;
const EPSILON = 1e-5;

const layerNormalization: Rule = (step) => {
  const { build, index, attributes, inputs, gradient } = step;
  const [input = "", scale = "", bias = ""] = inputs;
  if (attributes.integer("axis", -1) !== -1) throw unsupported(step, "it is not over the last axis");
  const size = build.add("Cast", [build.add("Shape", [scale])], { to: FLOAT32 });
  const mean = (value: string) => build.add("Div", [build.add("ReduceSum", [value, build.integers(-1)]), size]);
  // Again, number for number: onnxruntime would return the deviation, too, but takes several times as long.
  const centred = build.add("Sub", [input, mean(input)]);
  const variance = mean(build.add("Mul", [centred, centred]));
  const deviation = build.add("Sqrt", [
    build.add("Add", [variance, build.number(attributes.number("epsilon", EPSILON))]),
  ]);
  const normal = build.add("Div", [centred, deviation]);
  return [
    () => {
      const scaled = index.isConstant(scale, 1) ? gradient : build.add("Mul", [gradient, scale]);
      // Neither a common offset nor a common factor of the input changes the output.
      const along = build.add("Mul", [normal, mean(build.add("Mul", [scaled, normal]))]);
      const rest = build.add("Sub", [build.add("Sub", [scaled, mean(scaled)]), along]);
      return build.add("Div", [rest, deviation]);
    },
    () => step.summedTo(build.add("Mul", [gradient, normal]), scale),
    () => step.summedTo(gradient, bias),
  ];
};

/** Sums and norms over axes, and what is computed with them. */
export const reductions: Rules = {
  ReduceSum: (step) => [
    () => {
      if (!step.inputs[1]) throw unsupported(step, "it has no list of axes");
      const shape = step.build.add("Shape", [step.inputs[0] ?? ""]);
      return step.build.add("Expand", [withAxes(step, step.gradient), shape]);
    },
  ],
  ReduceL2: (step) => [
    () => {
      const { build, inputs, output, gradient } = step;
      if (!inputs[1]) throw unsupported(step, "it has no list of axes");
      const share = build.add("Div", [withAxes(step, gradient), withAxes(step, output)]);
      return build.add("Mul", [inputs[0] ?? "", share]);
    },
  ],
  Softmax: ({ build, attributes, output, gradient }) => [
    () => {
      const weighted = build.add("Mul", [gradient, output]);
      const sum = build.add("ReduceSum", [weighted, build.integers(attributes.integer("axis", -1))]);
      return build.add("Mul", [output, build.add("Sub", [gradient, sum])]);
    },
  ],
  // By constant means and variances: the same without its offsets.
  BatchNormalization: (step) => [
    () => {
      const { build, node, attributes, inputs, gradient } = step;
      if (attributes.integer("training_mode", 0) !== 0) throw unsupported(step, "it is in training mode");
      const [, scale = "", bias = "", , variance = ""] = inputs;
      const none = build.add("Sub", [bias, bias]);
      return build.add("BatchNormalization", [gradient, scale, none, none, variance], {}, node.attributes);
    },
  ],
  LayerNormalization: layerNormalization,
};
