import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { it } from "node:test";
import { CODE_LANGUAGES } from "../../lib/code-languages.ts";
import { exampleBody, operationsOf, socketsOf } from "./api-document.ts";
import { sample } from "./samples.ts";

const request = {
  method: "POST",
  url: "http://127.0.0.1:8080/v1/tts?x=it's",
  headers: { model: "s2-pro" },
  json: `{ "text": "It's \\"quoted\\"." }`,
  file: undefined,
  givesFile: true,
};

it("a sample for curl survives the shell", () => {
  const words = sample("curl", request).replace("curl", 'printf "%s\\n"');
  const lines = execFileSync("sh", ["-c", words], { env: { PARLANCE_API_KEY: "k" }, encoding: "utf8" }).split("\n");
  assert.ok(lines.includes(request.url));
  assert.ok(lines.includes("Authorization: Bearer k"));
  assert.ok(lines.includes(JSON.stringify({ text: 'It\'s "quoted".' })));
});

it("samples name the method, the address and the file of a form in each language", () => {
  for (const { value } of CODE_LANGUAGES) {
    const code = sample(value, { ...request, json: undefined, file: "audio" });
    for (const part of ["POST", "/v1/tts", "audio", "recording.wav", "PARLANCE_API_KEY"])
      assert.ok(code.includes(part));
  }
});

it("operations have a group, and a body with the required fields", () => {
  const schema = { properties: { text: { type: "string" }, speed: { type: "number" } }, required: ["text"] };
  const [operation] = operationsOf({
    paths: {
      "/v1/tts": {
        post: {
          operationId: "tts",
          summary: "Speak",
          tags: ["Speech"],
          requestBody: { $ref: "#/components/requestBodies/Tts" },
          responses: { 200: { content: { "audio/mpeg": {} } } },
        },
      },
    },
    components: { requestBodies: { Tts: { content: { "application/json": { schema } } } } },
  });
  assert.ok(operation);
  assert.deepEqual(
    [operation.method, operation.group, operation.givesFile, operation.takesJson],
    ["POST", "Speech", true, true],
  );
  assert.deepEqual(exampleBody(operation), { text: "Hello from Parlance." });
});

it("sockets have their frames with the fields that may be absent", () => {
  const [socket] = socketsOf({
    channels: { live: { address: "/live", title: "Live", description: "", messages: { "live.server.finish": {} } } },
    components: {
      messages: {
        "live.server.finish": {
          name: "finish",
          summary: "The end.",
          payload: { properties: { event: {}, reason: {}, message: {} }, required: ["event", "reason"] },
        },
      },
    },
  });
  assert.deepEqual(socket?.frames, [
    { from: "server", shape: '{event: "finish", reason, message?}', description: "The end." },
  ]);
});
