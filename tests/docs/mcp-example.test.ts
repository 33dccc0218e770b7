import assert from "node:assert/strict";
import { it } from "node:test";
import { startTestServer, TEST_KEY } from "../../packages/server/src/testing/test-server.ts";
import { runExample } from "./run-example.ts";

it("the example of docs/mcp.md saves the audio", async (context) => {
  const server = await startTestServer();
  context.after(() => server.close());
  const environment = { PARLANCE_URL: server.url, PARLANCE_API_KEY: TEST_KEY };
  const run = await runExample("docs/mcp.md", ["morning.wav"], { environment });
  assert.equal(run.read("morning.wav").toString("latin1", 0, 4), "RIFF");
});
