import { until } from "../../../../tests/support/until.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";

/** Until nothing holds the object any more. */
export async function untilCollected(object: WeakRef<object> | undefined): Promise<void> {
  const isCollected = (): boolean => {
    collectGarbage();
    return object?.deref() === undefined;
  };
  await until(isCollected, { what: "the object is collected", timeoutMs: 10_000 });
}
