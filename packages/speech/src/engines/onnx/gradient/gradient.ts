import { GRAPH, readModelNodes, renamedPort } from "../model-nodes.ts";
import type { FuseNode } from "../node-index.ts";
import { bytesField } from "../protobuf.ts";
import { readAttributes } from "./attributes.ts";
import { createBuilder } from "./builder.ts";
import { elementwise } from "./elementwise.ts";
import { layout } from "./layout.ts";
import { products } from "./products.ts";
import { reductions } from "./reductions.ts";
import type { Rules, Step } from "./rule.ts";
import { inferShapes } from "./shapes.ts";
import { summedTo } from "./sum-to.ts";

export interface GradientChoice {
  /** The outputs whose gradient is given. */
  readonly of: readonly string[];
  /** The inputs whose gradient is wanted. */
  readonly by: readonly string[];
}

/** The name of the added input with the gradient of an output, and of the added output with that of an input. */
export const gradientOf = (name: string): string => `gradient:${name}`;

const rules: Rules = { ...elementwise, ...layout, ...reductions, ...products };
/** Operators whose output does not depend on the numbers of the input, only on its shape. */
const constant: ReadonlySet<string> = new Set(["Shape"]);

/**
 * The model with the gradient of a sum: it has the gradient of that sum by each chosen output as a further input, and by each
 * chosen input as a further output (a vector-Jacobian product). onnxruntime needs nothing but the nodes of inference for that.
 * Some rules add operators of version 18; onnxruntime refuses them in a model of an earlier one.
 */
export function withGradient(file: Uint8Array, { of, by }: GradientChoice): Uint8Array {
  const model = readModelNodes(file);
  const index = model.indexOf(model.nodes);
  const shapes = inferShapes(model, index);
  const shapeOf = (name: string) => shapes.get(name) ?? index.constantShape(name);
  const build = createBuilder();
  const ports = [
    ...of.map((name) => bytesField(GRAPH.input, renamedPort(described(model.outputs, name), gradientOf(name)))),
    ...by.map((name) => bytesField(GRAPH.output, renamedPort(described(model.inputs, name), gradientOf(name)))),
  ];

  const depending = dependingOn(by, model.nodes);
  /** The parts of the gradient of each value, one from each node that uses it. */
  const parts = new Map(of.map((name) => [name, [gradientOf(name)]]));
  const gradientAt = (name: string): string | undefined => {
    const all = parts.get(name) ?? [];
    const sum = all.length > 0 ? all.reduce((one, two) => build.add("Add", [one, two])) : undefined;
    if (sum !== undefined) parts.set(name, [sum]);
    return sum;
  };
  // A node is before those that use its outputs. So the gradients of these are complete when it is its turn.
  for (const node of model.nodes.toReversed()) {
    if (!node.outputs.some((name) => depending.has(name) && parts.has(name))) continue;
    const gradients = node.outputs.map(gradientAt);
    const step: Step = {
      node,
      attributes: readAttributes(node.attributes),
      inputs: node.inputs,
      output: node.outputs[0] ?? "",
      gradient: gradients[0] ?? "",
      gradients,
      index,
      build,
      shapeOf,
      summedTo: (gradient, value) =>
        summedTo(build, gradient, value, { own: shapeOf(value), whole: shapeOf(node.outputs[0] ?? "") }),
    };
    const rule = rules[node.type];
    if (!rule) throw new Error(`no gradient is known for the operator ${node.type} ("${step.output}")`);
    const inputs = rule(step);
    for (const [at, name] of node.inputs.entries()) {
      if (!depending.has(name)) continue;
      const gradient = inputs[at];
      if (!gradient) throw new Error(`no gradient is known for input ${at} of ${node.type} ("${step.output}")`);
      parts.set(name, [...(parts.get(name) ?? []), gradient()]);
    }
  }
  for (const name of by) {
    const gradient = gradientAt(name);
    if (gradient === undefined) throw new Error(`the chosen outputs do not depend on "${name}"`);
    build.addNamed(gradientOf(name), "Identity", [gradient]);
  }
  return model.write([...model.nodes, ...build.nodes], [...build.constants, ...ports]);
}

function described(ports: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const description = ports.get(name);
  if (!description) throw new Error(`the model has no input or output "${name}"`);
  return description;
}

/** The values that depend on the numbers of some inputs. */
function dependingOn(inputs: readonly string[], nodes: readonly FuseNode[]): ReadonlySet<string> {
  const depending = new Set(inputs);
  for (const { type, inputs, outputs } of nodes) {
    if (constant.has(type) || !inputs.some((name) => depending.has(name))) continue;
    for (const name of outputs) depending.add(name);
  }
  return depending;
}
