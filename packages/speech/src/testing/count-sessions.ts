import type { TestContext } from "node:test";
import { InferenceSession } from "onnxruntime-node";

/**
 * The sessions that are open, by their number. They compute nothing: networks are used after the load. `failing`: the one that
 * cannot be opened, or all of them.
 */
export function countSessions({ mock }: TestContext, failing?: number | "all") {
  const open = new Set<number>();
  let count = 0;
  const create = mock.method(InferenceSession, "create", async () => {
    const number = count++;
    if (failing === "all" || number === failing) throw new Error("out of memory");
    open.add(number);
    return {
      release: async () => {
        open.delete(number);
      },
    };
  });
  return { open, all: () => count, restore: () => create.mock.restore() };
}
