import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { attackDeadline } from "../bench/abuse/attack.ts";
import { describedRequests } from "../bench/abuse/described-routes.ts";
import { send, unfinishedBodies } from "../bench/abuse/http-attacks.ts";
import { fragments, frameFloods, idleSockets, unfinishedFrames } from "../bench/abuse/live-attacks.ts";
import { startBenchServer } from "../bench/server-handle.ts";

/**
 * A bounded part of `npm run bench -- abuse`, which also measures delays: hostile bodies on every described route, and every
 * flood of frames, from one account. Each is answered with a refusal of bounded size, in bounded memory, and other clients
 * are answered meanwhile.
 */
const MIB = 2 ** 20;
const BODY_BYTES = 48 * 1024;
const LARGE_BODY_BYTES = 2 * MIB;
const AT_ONCE = 8;
/** A refusal lists at most twenty faults. */
const MAX_REFUSAL_BYTES = 16 * 1024;
/** Over the idle server: buffers of bodies and frames within their limits, and what V8 has not collected yet. */
const MAX_MEMORY_MIB = 400;
const REFUSED_CLOSES = ["1000", "1002", "1003", "1007", "1008", "1009"];

describe("hostile clients", () => {
  let server: Awaited<ReturnType<typeof startBenchServer>>;
  let idleMemory = 0;
  let peakMemory = 0;
  const health = { answered: 0, failed: 0 };
  let timers: readonly NodeJS.Timeout[] = [];

  before(async () => {
    server = await startBenchServer({ speech: "tone", concurrency: 64 });
    idleMemory = memoryMib(server.pid);
    timers = [
      setInterval(() => {
        peakMemory = Math.max(peakMemory, memoryMib(server.pid));
      }, 20),
      setInterval(async () => {
        const isAlive = await fetch(`${server.url}/health/live`).then(
          async (response) => response.ok && (await response.text()) !== "",
          () => false,
        );
        health[isAlive ? "answered" : "failed"] += 1;
      }, 50),
    ];
  });
  after(async () => {
    for (const timer of timers) clearInterval(timer);
    await server.close();
  });

  const deadline = () => attackDeadline(60_000);

  async function attackRoutes(bytes: number, choose: (path: string) => boolean): Promise<number> {
    const waiting = [...(await describedRequests(server.url, bytes))].filter(({ path }) => choose(path));
    const count = waiting.length;
    const signal = deadline();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          const { method, path, name, type, body } = next;
          const headers = { ...(type === undefined ? {} : { "content-type": type }), model: "s2-pro" };
          const answer = await send(server, method, path, headers, body, signal);
          const what = `${method} ${path.slice(0, 60)} ${name}: ${answer.status}, ${answer.bytes} bytes`;
          assert.ok((answer.status >= 200 && answer.status < 500) || answer.status === 503, what);
          if (answer.status >= 400) assert.ok(answer.bytes <= MAX_REFUSAL_BYTES, what);
        }
      }),
    );
    return count;
  }

  it("get a bounded refusal on every route", async () => {
    assert.ok((await attackRoutes(BODY_BYTES, () => true)) > 200);
  });

  it("get one for large bodies where those are allowed", async () => {
    assert.ok((await attackRoutes(LARGE_BODY_BYTES, (path) => ["/v1/tts", "/v1/asr", "/model"].includes(path))) > 30);
  });

  for (const attack of [
    ...frameFloods(1000),
    fragments(20_000),
    idleSockets(120),
    unfinishedFrames(12, 15 * MIB),
    unfinishedBodies(12, 8 * MIB),
  ]) {
    it(`are bounded: ${attack.name}`, async () => {
      const { statuses, largestResponseBytes } = await attack.run(server, deadline());
      assert.ok(largestResponseBytes <= MAX_REFUSAL_BYTES * 4, `${largestResponseBytes} bytes`);
      const closes = Object.keys(statuses).filter((status) => /^\d/.test(status));
      for (const close of closes) assert.ok(REFUSED_CLOSES.includes(close), `closed with ${close}`);
    });
  }

  it("leave other clients answered, and the memory within its bound", () => {
    assert.equal(health.failed, 0);
    assert.ok(health.answered > 10, `${health.answered} answers`);
    const used = peakMemory - idleMemory;
    assert.ok(used < MAX_MEMORY_MIB, `${Math.round(used)} MiB more than idle`);
  });
});

function memoryMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}
