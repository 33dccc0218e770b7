import assert from "node:assert/strict";
import { test } from "node:test";
import { browserName } from "./browser-name.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

for (const [userAgent, name] of [
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/148.0.0.0 Safari/537.36`, "Chrome 148 on Linux"],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/148.0.0.0 Safari/537.36 Edg/148.0.0.0`,
    "Edge 148 on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox 140 on Linux"],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} Version/18.0 Mobile/15E148 Safari/604.1`,
    "Safari 18 on iPhone",
  ],
  ["curl/8.5.0", "curl/8.5.0"],
  ["", ""],
] as const) {
  test(`${userAgent || "an empty name"} is shown as ${name || "it is"}`, () =>
    assert.equal(browserName(userAgent), name));
}
