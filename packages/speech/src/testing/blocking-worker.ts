/** A worker whose inference goes on for a while after it was cancelled. Its only part is sent when a job has started. */
import { exitWithParent } from "../lib/child-process.ts";
import { monotonicTime } from "../lib/tracing.ts";
import type { FromWorker, ToWorker } from "../pool/messages.ts";

const BLOCKED_MS = 500;

const send = (message: FromWorker<"started", null>): void => {
  process.send?.(message);
};
process.on("message", (message: ToWorker<null, null>) => {
  const at = monotonicTime();
  if (message.type === "load") send({ type: "ready", about: null });
  if (message.type === "start") send({ type: "part", id: message.id, part: "started", work: { from: at, to: at } });
  if (message.type === "cancel") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  if (message.type === "ping") send({ type: "alive" });
});
exitWithParent();
