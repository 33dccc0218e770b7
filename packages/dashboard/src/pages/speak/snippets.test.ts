import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { CODE_LANGUAGES } from "../../lib/code-languages.ts";
import { snippet } from "./snippets.ts";

const request = {
  text: `It's "quoted" and costs $5 \\ \u0060date\u0060`,
  model: "s2-pro",
  format: "mp3",
  latency: "normal",
  prosody: { speed: 1.2 },
};
const address = "http://127.0.0.1:8080";
const { model, ...body } = request;

test("the shell passes the text of the curl example on unchanged", () => {
  const command = snippet("curl", address, request).replace(/^curl --fail-with-body /, "printf '%s\\n' ");
  const args = execFileSync("sh", ["-c", command], { env: { PARLANCE_API_KEY: "the-key" }, encoding: "utf8" }).split(
    "\n",
  );
  assert.equal(args[0], `${address}/v1/tts`);
  assert.ok(args.includes("Authorization: Bearer the-key") && args.includes(`model: ${model}`));
  assert.deepEqual(JSON.parse(args.at(-2) ?? ""), body);
});

test("the TypeScript example contains the request", () => {
  const code = snippet("typescript", address, request);
  const [, argument = ""] = /convert\((\{.*\})\);/s.exec(code) ?? [];
  assert.deepEqual(JSON.parse(argument), request);
});

test("the Python example contains the request", () => {
  const code = snippet("python", address, request);
  const [, argument = ""] = /json=(\{.*\}),\n {4}stream/s.exec(code) ?? [];
  assert.deepEqual(JSON.parse(argument), body);
});

test("no example contains a key", () => {
  for (const { value } of CODE_LANGUAGES) assert.match(snippet(value, address, request), /PARLANCE_API_KEY/);
});
