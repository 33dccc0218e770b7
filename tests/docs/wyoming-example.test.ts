import assert from "node:assert/strict";
import { it } from "node:test";
import { startTestServer } from "../../packages/server/src/testing/test-server.ts";
import { runExample } from "./run-example.ts";

it("the example of docs/wyoming.md saves the audio", async (context) => {
  const server = await startTestServer({ config: { wyomingPort: 0, wyomingAccount: "admin" } });
  context.after(() => server.close());
  const environment = { PARLANCE_WYOMING_PORT: String(server.wyomingPort) };
  const run = await runExample("docs/wyoming.md", ["lights.pcm"], { environment });
  assert.equal(run.read("lights.pcm").length, 3200);
});
