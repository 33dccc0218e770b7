import type { FuseNode, NodeIndex } from "../node-index.ts";
import type { Attributes } from "./attributes.ts";
import type { Builder } from "./builder.ts";
import type { Shape } from "./shapes.ts";

/** A node of the model whose gradient is added. Values are given by their names. */
export interface Step {
  readonly node: FuseNode;
  readonly attributes: Attributes;
  readonly inputs: readonly string[];
  /** The first output, and its gradient. */
  readonly output: string;
  readonly gradient: string;
  /** The gradient of each output; undefined where the chosen outputs do not depend on it. */
  readonly gradients: readonly (string | undefined)[];
  readonly index: NodeIndex;
  readonly build: Builder;
  /** As far as it is known before the model runs. */
  shapeOf(value: string): Shape | undefined;
  /** A gradient in the shape of a value that was broadcast: the sum over the places that the value was used at. */
  summedTo(gradient: string, value: string): string;
}

/**
 * The gradient of each input of a node, by that of its outputs. Each is computed only when it is needed; undefined, or missing at
 * the end of the list, for inputs that have none.
 */
export type Rule = (step: Step) => readonly ((() => string) | undefined)[];

/** The rules of some operators, by the names of these. */
export type Rules = Readonly<Record<string, Rule>>;

/** For a node that a rule exists for, but not with these attributes or inputs. */
export function unsupported({ node }: Step, why: string): Error {
  return new Error(`the gradient of ${node.type} ("${node.outputs[0]}") is not supported: ${why}`);
}
