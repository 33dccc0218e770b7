import type { Builder } from "./builder.ts";
import type { Shape } from "./shapes.ts";

/**
 * The sum of a gradient over the axes along which a value was broadcast. Where the shapes that are known before the model runs
 * do not say which ones these are, they are found when it runs.
 */
export function summedTo(build: Builder, gradient: string, value: string, { own, whole }: KnownShapes): string {
  const axes = broadcastAxes(own, whole);
  const sameRank = own !== undefined && own.length === whole?.length;
  if (axes?.length === 0 && sameRank) return gradient;
  const shape = build.add("Shape", [value]);
  if (!axes) {
    const sum = build.add("ReduceSum", [gradient, axesAtRun(build, gradient, shape)], { noop_with_empty_axes: 1 });
    return build.add("Reshape", [sum, shape]);
  }
  const sum = axes.length > 0 ? build.add("ReduceSum", [gradient, build.integers(...axes)]) : gradient;
  return sameRank ? sum : build.add("Reshape", [sum, shape]);
}

export interface KnownShapes {
  /** That of the value. */
  readonly own: Shape | undefined;
  /** That of the gradient: the output of the node that uses the value. */
  readonly whole: Shape | undefined;
}

/** The axes along which the value is broadcast; undefined when that is not known. */
function broadcastAxes(value: Shape | undefined, output: Shape | undefined): number[] | undefined {
  if (!value || !output) return undefined;
  const missing = output.length - value.length;
  const axes: number[] = [];
  for (const [axis, size] of output.entries()) {
    const own = axis < missing ? 1 : value[axis - missing];
    if (own === size) continue;
    if (own === 1) axes.push(axis);
    // A number above 1 is never broadcast; a length that is not known may be 1.
    else if (typeof own !== "number") return undefined;
  }
  return axes;
}

function axesAtRun(build: Builder, gradient: string, shape: string): string {
  const all = build.add("Shape", [gradient]);
  const missing = build.add("Sub", [build.add("Shape", [all]), build.add("Shape", [shape])]);
  const ones = build.add("Expand", [build.integers(1), missing]);
  const same = build.add("Equal", [build.add("Concat", [ones, shape], { axis: 0 }), all]);
  return build.add("Squeeze", [build.add("NonZero", [build.add("Not", [same])]), build.integers(0)]);
}
