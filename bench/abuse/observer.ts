/**
 * A client in a separate process that requests /health/live every 20 ms on its own connection, and reports the time of
 * the slowest response. Work in the attacker's process does not affect it.
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
  // Four open requests are enough to see a stalled server.
  if (open.size < 4) probe();
}, 20);

process.on("message", (command: "reset" | "report") => {
  const waiting = [...open].map((sent) => performance.now() - sent);
  if (command === "report") process.send?.({ slowestMs: Math.max(slowestMs, ...waiting), failures });
  slowestMs = 0;
  failures = 0;
  if (command === "reset") process.send?.({});
});
process.on("disconnect", () => process.exit(0));
process.send?.({});
