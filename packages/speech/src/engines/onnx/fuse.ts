import { fuseBias, fuseGelu, fuseModulation, fuseScale, type Pattern } from "./fuse-patterns.ts";
import { readModelNodes } from "./model-nodes.ts";
import type { FuseNode, NodeIndex } from "./node-index.ts";
import { quantizeBeforeTaps } from "./row-patterns.ts";

/** In this order: a scale is only joined to a product that has its bias. */
const patterns: readonly Pattern[] = [fuseBias, fuseScale, fuseModulation, fuseGelu, quantizeBeforeTaps];

/**
 * Replaces groups of nodes that onnxruntime does not join by itself with one node each: every node is a pass over all
 * values, and these passes take as long as the products of matrices between them. A model without such groups stays as it is.
 * Some operators belong to onnxruntime's own set, which the model has to import. `more` is replaced after that.
 */
export function fuseNodes(file: Uint8Array, more: readonly Pattern[] = []): Uint8Array {
  const model = readModelNodes(file);
  let { nodes } = model;
  for (const pattern of [...patterns, ...more]) nodes = replaced(nodes, pattern, model.indexOf(nodes));
  return model.write(nodes);
}

/** The new nodes take the place of the last node of their group, so the order stays topological. */
function replaced(nodes: readonly FuseNode[], pattern: Pattern, index: NodeIndex): readonly FuseNode[] {
  const removed = new Set<FuseNode>();
  const added = new Map<FuseNode, readonly FuseNode[]>();
  for (const node of nodes) {
    const match = pattern(node, index);
    if (!match) continue;
    for (const old of match.old) removed.add(old);
    const last = match.old.at(-1);
    if (last) added.set(last, match.new);
  }
  return nodes.flatMap((node) => added.get(node) ?? (removed.has(node) ? [] : [node]));
}
