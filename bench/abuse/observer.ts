/**
 * A client in a process of its own that asks for /health/live every 20 ms on a connection of its own, and reports how
 * long the slowest response took. What the attacker's process is busy with does not count.
 */
import { Agent, get } from "node:http";

const url = process.argv[2] ?? "";
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
let slowestMs = 0;
let failures = 0;
/** Requests that have not been answered yet, by when they were sent. */
const open = new Set<number>();

function probe(): void {
  const sent = performance.now();
  open.add(sent);
  const settle = (ok: boolean) => {
    if (!open.delete(sent)) return;
    slowestMs = Math.max(slowestMs, performance.now() - sent);
    if (!ok) failures += 1;
  };
  const request = get(`${url}/health/live`, { agent, timeout: 60_000 }, (response) => {
    response.resume();
    response.once("end", () => settle(response.statusCode === 200));
  });
  request.on("timeout", () => request.destroy());
  request.on("error", () => settle(false));
}

setInterval(() => {
  // A stalled server is not piled up on: four requests are enough to see it.
  if (open.size < 4) probe();
}, 20);

process.on("message", (question: "reset" | "report") => {
  const waiting = [...open].map((sent) => performance.now() - sent);
  if (question === "report") process.send?.({ slowestMs: Math.max(slowestMs, ...waiting), failures });
  slowestMs = 0;
  failures = 0;
  if (question === "reset") process.send?.({});
});
process.on("disconnect", () => process.exit(0));
process.send?.({});
