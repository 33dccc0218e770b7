import assert from "node:assert/strict";
import { it } from "node:test";
import { createProgressReporter } from "./progress.ts";
import type { PullStep } from "./pull-event.ts";

function record(isTTY: boolean, environment: NodeJS.ProcessEnv) {
  const written: string[] = [];
  let time = 0;
  const stream = { isTTY, columns: 100, write: (text: string) => written.push(text) };
  const reporter = createProgressReporter(stream, environment, () => time);
  const send = (step: PullStep, received: number) => {
    time += 1000;
    reporter.onProgress({ model: "kokoro-q8", step, received, total: 90_000_000 });
  };
  return { written, reporter, send };
}

it("draws a bar with percent, size, speed and time left in a terminal", () => {
  const { written, send } = record(true, {});
  for (const megabytes of [0, 10, 20, 30, 45]) send("downloading", megabytes * 1e6);
  const line = written.at(-1) ?? "";
  assert.match(line, /kokoro-q8 {2}█{10}░{10} {2} 50 % {2}45\.0 \/ 90\.0 MB {2}11\.3 MB\/s {2}4 s left$/);
  send("installed", 90e6);
  assert.match(written.at(-1) ?? "", /✓.*kokoro-q8 90\.0 MB\n$/);
  assert.ok(written.at(-1)?.includes("\u001b[32m"));
});

it("uses no colour under NO_COLOR", () => {
  const { written, send } = record(true, { NO_COLOR: "1" });
  send("downloading", 1e6);
  send("installed", 90e6);
  assert.ok(!written.join("").includes("\u001b[3"));
});

it("writes whole lines, one for each tenth, where there is no terminal", () => {
  const { written, send } = record(false, {});
  send("waiting", 0);
  for (let received = 0; received <= 90e6; received += 1e6) send("downloading", received);
  send("checking", 90e6);
  send("installed", 90e6);
  assert.equal(written.length, 1 + 1 + 10 + 1);
  assert.ok(written.every((line) => line.endsWith("\n") && !line.includes("\u001b")));
  assert.equal(written[1], "kokoro-q8: downloading 90.0 MB\n");
  assert.equal(written.at(-1), "kokoro-q8: installed\n");
});

it("treats a dumb terminal as none", () => {
  const { written, send } = record(true, { TERM: "dumb" });
  send("downloading", 45e6);
  assert.ok(!written.join("").includes("\r"));
});

it("leaves the cursor on a fresh line after an interruption", () => {
  const { written, reporter, send } = record(true, {});
  send("downloading", 45e6);
  reporter.close();
  assert.equal(written.at(-1), "\n");
});
