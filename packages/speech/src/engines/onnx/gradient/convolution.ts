import type { Builder } from "./builder.ts";
import { type Rule, unsupported } from "./rule.ts";

/** Kept as they are for the transposed convolution. */
const ATTRIBUTES = ["dilations", "group", "kernel_shape", "strides"];

/** The gradient of a convolution is the transposed one with the same weights. */
export const convolution: Rule = (step) => [
  () => {
    const { build, attributes, inputs, gradient } = step;
    const [value = "", weights = ""] = inputs;
    const [channels, perGroup, ...kernel] = step.shapeOf(weights) ?? [];
    const padding = attributes.text("auto_pad") ?? "NOTSET";
    if (kernel.length === 0 || padding !== "NOTSET") throw unsupported(step, "its kernel or its padding is not known");
    const axes = kernel.map((_, i) => i + 2);
    const strides = attributes.integers("strides") ?? axes.map(() => 1);
    const dilations = attributes.integers("dilations") ?? axes.map(() => 1);
    const pads = attributes.integers("pads") ?? axes.flatMap(() => [0, 0]);
    const kept = attributes.only(...ATTRIBUTES);
    if (strides.every((stride) => stride === 1)) {
      const reach = kernel.map((size, i) => (Number(size) - 1) * (dilations[i] ?? 1));
      const outside = pads.map((size, i) => (reach[i % axes.length] ?? 0) - size);
      const groups = attributes.integer("group", 1);
      const isDepthwise = perGroup === 1 && groups === channels;
      if ((groups > 1 && !isDepthwise) || outside.some((size) => size < 0))
        return build.add("ConvTranspose", [gradient, weights], { pads }, kept);
      // The same as a convolution: onnxruntime takes longer for the transposed one, many times with a group for each channel.
      const swapped = isDepthwise ? weights : build.add("Transpose", [weights], { perm: [1, 0, ...axes] });
      return build.add("Conv", [gradient, flipped(build, swapped, axes)], { pads: outside }, kept);
    }
    // The last numbers that no position of the kernel reached are zero: as many as there may be are added, and cut again.
    const starts = pads.slice(0, axes.length);
    const whole = { pads: [...starts, ...starts.map(() => 0)], output_padding: strides.map((stride) => stride - 1) };
    const reached = build.add("ConvTranspose", [gradient, weights], whole, kept);
    const ends = build.add("Shape", [value], { start: 2 });
    return build.add("Slice", [reached, build.integers(...axes.map(() => 0)), ends, build.integers(...axes)]);
  },
];

/** In reverse order along some axes. */
function flipped(build: Builder, value: string, axes: readonly number[]): string {
  const all = (each: number) => build.integers(...axes.map(() => each));
  return build.add("Slice", [value, all(-1), all(-Number.MAX_SAFE_INTEGER), build.integers(...axes), all(-1)]);
}
