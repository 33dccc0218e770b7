import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { createLog } from "./log.ts";
import { LOG_EVENTS, logEvent } from "./log-events.ts";

const repository = new URL("../../../../", import.meta.url);

it("docs/operating.md lists exactly the events that are logged, with level and meaning", () => {
  const page = readFileSync(new URL("docs/operating.md", repository), "utf8");
  const [, section = ""] = /^## Log events$([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| `([\w.-]+)` +\| (\w+) +\| (.*?) +\|$/gm)];
  assert.deepEqual(
    rows.map(([, event, level, meaning]) => [event, level, meaning]),
    Object.entries(LOG_EVENTS).map(([event, { level, meaning }]) => [event, level, meaning]),
  );
});

it("a line has the event, its fields, its level and its message", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  logEvent(log, "worker.lost", { engine: "piper", reason: "exit code 1" });
  const { time: _, ...line } = JSON.parse(lines[0] ?? "{}");
  assert.deepEqual(line, {
    level: 40,
    event: "worker.lost",
    engine: "piper",
    reason: "exit code 1",
    msg: "a worker process ended and is replaced",
  });
});

it("names have the form noun.verb, in lower case", () => {
  for (const event of Object.keys(LOG_EVENTS)) assert.match(event, /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
});
