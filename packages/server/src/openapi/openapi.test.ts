import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTtsRequest, timestampEvent, ttsBody } from "@parlance/protocol";
import { startTestServer } from "../testing/test-server.ts";
import { openApiDocument } from "./document.ts";
import { renderPage } from "./page.ts";

const document = openApiDocument();
const request = document.components.schemas.TtsRequest;

describe("the API description", () => {
  it("is OpenAPI 3.1 at version 1, and is served", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const response = await fetch(`${server.url}/openapi.json`);
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    assert.deepEqual(await response.json(), JSON.parse(JSON.stringify(document)));
    assert.equal(document.openapi, "3.1.0");
    assert.equal(document.info.version, "1");
  });

  it("describes every field of the request", () => {
    assert.deepEqual(Object.keys(request?.properties ?? {}), Object.keys(ttsBody.shape));
    assert.deepEqual(request?.required, ["text"]);
    for (const [name, field] of Object.entries(request?.properties ?? {})) {
      assert.ok(field.description, `${name} has a description`);
      assert.ok(field.type !== undefined || field.anyOf !== undefined, `${name} has a type`);
    }
  });

  it("names defaults and bounds that the server really has", () => {
    const rules = { maxTextCharacters: 10, models: ["s2-pro"] };
    const defaults = Object.entries(request?.properties ?? {}).filter(([, field]) => field.default !== undefined);
    assert.ok(defaults.length >= 9);
    assert.deepEqual(
      parseTtsRequest(
        "s2-pro",
        { text: "a", ...Object.fromEntries(defaults.map(([name, f]) => [name, f.default])) },
        rules,
      ),
      parseTtsRequest("s2-pro", { text: "a" }, rules),
    );
    for (const [name, field] of Object.entries(request?.properties ?? {})) {
      for (const value of [...(field.enum ?? []), field.minimum, field.maximum]) {
        if (value === undefined) continue;
        parseTtsRequest(
          "s2-pro",
          { text: "a", format: name === "opus_bitrate" ? "opus" : "wav", [name]: value },
          rules,
        );
      }
    }
  });

  it("describes an event of the stream with timestamps", () => {
    const event = document.components.schemas.TimestampEvent;
    assert.deepEqual(Object.keys(event?.properties ?? {}), Object.keys(timestampEvent.shape));
    assert.deepEqual(event?.required, Object.keys(timestampEvent.shape));
  });

  it("names every route under /account and /admin/users that the server has, and no other", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    for (const [path, methods] of Object.entries(document.paths)) {
      if (!/^\/(account|admin\/users)/.test(path)) continue;
      const response = await fetch(server.url + path.replace("{id}", "0".repeat(32)), { method: "OPTIONS" });
      const allowed = (response.headers.get("allow") ?? "").toLowerCase().split(", ");
      assert.deepEqual(
        allowed.filter((method) => !["head", "options"].includes(method)).toSorted(),
        Object.keys(methods).toSorted(),
        path,
      );
    }
  });

  it("refers only to schemas that are there", () => {
    for (const [, name] of JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      assert.ok(document.components.schemas[name ?? ""], name);
    }
  });
});

describe("the documentation page", () => {
  it("shows every operation, field and error, and loads nothing from elsewhere", () => {
    const page = renderPage(document);
    for (const path of Object.keys(document.paths)) assert.ok(page.includes(path), path);
    for (const field of Object.keys(ttsBody.shape)) assert.ok(page.includes(`<code>${field}</code>`), field);
    for (const code of ["unknown_voice", "concurrency_limited", "overloaded"]) assert.ok(page.includes(code), code);
    for (const words of ["/v1/tts/live/with-timestamp", "flush", "finish"]) assert.ok(page.includes(words), words);
    assert.doesNotMatch(page, /<script|https?:\/\/|@import|url\(/);
    assert.ok(page.includes("&lt;|speaker:0|&gt;"), "text is escaped");
  });
});
