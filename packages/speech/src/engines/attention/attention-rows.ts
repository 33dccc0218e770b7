import type { Attention } from "./time-warp.ts";

/** An attention head: the index of its layer in `attentionLayers`, and its number there. */
export type HeadChoice = readonly [layer: number, head: number];

/** Collects the attention of the chosen heads, token by token. */
export interface AttentionRows {
  add(layers: readonly Float32Array[]): void;
  /** For the first `frames`; the rest is padding. */
  table(frames: number): Attention;
}

export function createAttentionRows(chosen: readonly HeadChoice[], heads: number): AttentionRows {
  const rows: Float32Array[][] = [];
  return {
    add(layers) {
      rows.push(
        chosen.map(([layer, head]) => {
          const all = layers[layer] ?? new Float32Array(0);
          const frames = all.length / heads;
          return all.slice(head * frames, (head + 1) * frames);
        }),
      );
    },
    table(limit) {
      const frames = Math.min(limit, rows[0]?.[0]?.length ?? 0);
      const tables = chosen.map((_, index) => {
        const table = new Float32Array(rows.length * frames);
        rows.forEach((row, token) => {
          table.set(row[index]?.subarray(0, frames) ?? [], token * frames);
        });
        return table;
      });
      return { tokens: rows.length, frames, heads: tables };
    },
  };
}
