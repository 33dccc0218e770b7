import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { form, recording, send } from "../../../testing/asr-client.ts";
import { connectLive } from "../../../testing/live-client.ts";
import { startTestServer } from "../../../testing/test-server.ts";

async function serve(context: TestContext, defaultModel?: string) {
  const server = await startTestServer({ config: { defaultModel, corsOrigins: ["*"] } });
  context.after(() => server.close());
  const speak = async (model: string | undefined) => {
    const response = await server.post(
      { text: "Hi.", format: "pcm" },
      { headers: { model, origin: "https://a.test" } },
    );
    await response.arrayBuffer();
    return response;
  };
  const live = async (model: string | undefined) => {
    const client = await connectLive(server.url, { headers: { model } });
    client.send({ event: "start", request: { text: "Hi.", format: "pcm" } }, { event: "stop" });
    const { finish } = await client.round();
    await client.close();
    return { finish, model: client.headers["x-model"] };
  };
  return { server, speak, live };
}

describe("the model", () => {
  it("is named by every response, with aliases resolved", async (context) => {
    const { speak, live } = await serve(context);
    for (const [requested, used] of [
      ["s2-pro", "s2-pro"],
      ["s1-mini", "s2-pro"],
      ["agent-x0", "s2-pro"],
      ["kokoro", "kokoro"],
    ] as const) {
      const response = await speak(requested);
      assert.equal(response.status, 200, requested);
      assert.equal(response.headers.get("x-model"), used);
      assert.match(response.headers.get("access-control-expose-headers") ?? "", /\bx-model\b/);
      assert.deepEqual(await live(requested), { finish: { event: "finish", reason: "stop" }, model: used });
    }
  });

  it("of a transcription may be named as other servers name it", async (context) => {
    const { server } = await serve(context);
    const response = await send(server, form(recording), { headers: { model: "transcribe-1-pro" } });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("x-model"), "transcribe-1");
  });

  it("is required and must be known without a default", async (context) => {
    const { server, speak, live } = await serve(context);
    const missing = await server.post({ text: "Hi." }, { headers: { model: undefined } });
    assert.equal(missing.status, 422);
    assert.match(await missing.text(), /PARLANCE_DEFAULT_MODEL/);
    assert.equal((await speak("gpt-9")).status, 400);
    assert.equal((await live(undefined)).model, "s2-pro");
    const refused = await live("gpt-9");
    assert.equal(refused.finish.reason, "error");
    assert.equal(refused.model, undefined);
    assert.doesNotMatch(server.log.join("\n"), /default-model\.read/);
  });

  it("falls back to PARLANCE_DEFAULT_MODEL where it is missing or unknown", async (context) => {
    const { server, speak, live } = await serve(context, "kokoro");
    for (const requested of [undefined, "", "gpt-9"]) {
      const response = await speak(requested);
      assert.equal(response.status, 200, requested);
      assert.equal(response.headers.get("x-model"), "kokoro");
      assert.deepEqual(await live(requested), { finish: { event: "finish", reason: "stop" }, model: "kokoro" });
    }
    assert.equal((await speak("s1")).headers.get("x-model"), "s2-pro");
    assert.match(server.log.join("\n"), /"event":"default-model.read","defaultModel":"kokoro"/);
    for (const [requested, used] of [
      ["gpt-9", "transcribe-1"],
      ["whisper", "whisper"],
    ] as const) {
      const transcribed = await send(server, form(recording), { headers: { model: requested } });
      assert.equal(transcribed.status, 200);
      assert.equal(transcribed.headers.get("x-model"), used);
    }
  });
});
