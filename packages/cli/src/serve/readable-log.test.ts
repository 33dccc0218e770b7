import assert from "node:assert/strict";
import { test } from "node:test";
import { createTerminal } from "../terminal.ts";
import { readableLine } from "./readable-log.ts";

const plain = { isTTY: false, write: () => {} };
const { style } = createTerminal({}, { stdout: plain, stderr: plain });

test("a log line is shown with its time, level, message and fields", () => {
  const time = new Date(2026, 0, 2, 3, 4, 5).getTime();
  const line = JSON.stringify({
    level: 30,
    time,
    event: "request.finished",
    status: 200,
    ms: 1.5,
    msg: "a request has ended",
  });
  assert.equal(readableLine(line, style), "03:04:05 info  a request has ended status=200 ms=1.5");
  const failed = JSON.stringify({ level: 50, time, msg: "failed", err: { stack: "Error: x\n  at y" } });
  assert.equal(readableLine(failed, style), "03:04:05 error failed\nError: x\n  at y");
});

test("a line that is no JSON object stays as it is", () => {
  for (const line of ["plain text", "null", "42"]) assert.equal(readableLine(`${line}\n`, style), line);
});
