import type { Builder } from "./builder.ts";
import { type Rule, type Rules, unsupported } from "./rule.ts";

/** A slice goes on to the end. */
const END = Number.MAX_SAFE_INTEGER;

/** The length of a value along an axis, as a list of one number. */
function lengthAlong(build: Builder, value: string, axis: number): string {
  return build.add("Shape", [value], axis === -1 ? { start: axis } : { start: axis, end: axis + 1 });
}

const reshaped: Rule = ({ build, inputs, gradient }) => [
  () => build.add("Reshape", [gradient, build.add("Shape", [inputs[0] ?? ""])]),
];

/** A part of a value along one axis: zeros come before and after its gradient. */
const slice: Rule = (step) => {
  const { build, index, inputs, gradient } = step;
  const [value = "", starts = "", ends = "", axes = "", steps = ""] = inputs;
  const place = () => {
    const [axis, ...others] = index.integers(axes) ?? [];
    if (axis === undefined || others.length > 0) throw unsupported(step, "it has not one constant axis");
    if (steps !== "" && index.integers(steps)?.[0] !== 1) throw unsupported(step, "its step is not 1");
    const length = lengthAlong(build, value, axis);
    const [zero, one] = [build.integers(0), build.integers(1)];
    // Bounds may be negative or beyond the end: the same slice of the positions says where it starts.
    const scalars = [zero, length, one].map((each) => build.add("Squeeze", [each]));
    const kept = build.add("Slice", [build.add("Range", scalars), starts, ends, zero]);
    const before = build.add("Slice", [kept, zero, one, zero]);
    const used = build.add("Add", [before, lengthAlong(build, gradient, axis)]);
    const after = build.add("Sub", [length, used]);
    return build.add("Concat", [before, after], { axis: 0 });
  };
  return [() => build.add("Pad", [gradient, place(), "", axes])];
};

const concat: Rule = ({ build, attributes, inputs, gradient }) => {
  const axis = attributes.integer("axis", 0);
  let parts: readonly string[] | undefined;
  const part = (at: number) => {
    const lengths = () =>
      build.add(
        "Concat",
        inputs.map((input) => lengthAlong(build, input, axis)),
        { axis: 0 },
      );
    parts ??= build.addSeveral(inputs.length, "Split", [gradient, lengths()], { axis });
    return parts[at] ?? "";
  };
  return inputs.map((_, at) => () => part(at));
};

const split: Rule = ({ build, node, attributes, gradients }) => {
  const all = () =>
    node.outputs.map((output, i) => gradients[i] ?? build.add("ConstantOfShape", [build.add("Shape", [output])]));
  return [() => build.add("Concat", all(), { axis: attributes.integer("axis", 0) })];
};

const transpose: Rule = ({ build, attributes, gradient }) => [
  () => {
    const order = attributes.integers("perm");
    return build.add("Transpose", [gradient], order ? { perm: order.map((_, axis) => order.indexOf(axis)) } : {});
  },
];

/** The first and last numbers repeated: those get the gradients of their copies, too. */
const pad: Rule = (step) => [
  () => {
    const { build, index, attributes, inputs } = step;
    const margins = index.integers(inputs[1] ?? "");
    if (attributes.text("mode") !== "edge" || !margins || margins.some((margin) => margin < 0) || inputs[3])
      throw unsupported(step, "it does not repeat the edge by constant widths on all axes");
    let { gradient } = step;
    const rank = margins.length / 2;
    for (let axis = 0; axis < rank; axis++) {
      const part = (from: number, to: number) =>
        build.add("Slice", [gradient, build.integers(from), build.integers(to), build.integers(axis)]);
      const summed = (from: number, to: number) => build.add("ReduceSum", [part(from, to), build.integers(axis)]);
      const [before = 0, after = 0] = [margins[axis], margins[rank + axis]];
      // One edge after the other, since both may be the same number.
      if (before > 0) gradient = build.add("Concat", [summed(0, before + 1), part(before + 1, END)], { axis });
      if (after > 0) gradient = build.add("Concat", [part(0, -after - 1), summed(-after - 1, END)], { axis });
    }
    return gradient;
  },
];

const expand: Rule = (step) => [() => step.summedTo(step.gradient, step.inputs[0] ?? "")];

/** Operators that move numbers. */
export const layout: Rules = {
  Reshape: reshaped,
  Squeeze: reshaped,
  Unsqueeze: reshaped,
  Slice: slice,
  Concat: concat,
  Split: split,
  Transpose: transpose,
  Pad: pad,
  Expand: expand,
};
