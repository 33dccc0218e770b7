import assert from "node:assert/strict";
import { it } from "node:test";
import { form, recording, send } from "../testing/asr-client.ts";
import { createBurstTranscription } from "../testing/burst-transcription.ts";
import { createVoice } from "../testing/create-voice.ts";
import { instantCloning } from "../testing/instant-cloning.ts";
import { addMember } from "../testing/member.ts";
import { startTestServer } from "../testing/test-server.ts";
import { until } from "../testing/until.ts";

it("recordings are decoded in the turn of the account that sent them", { timeout: 60_000 }, async (context) => {
  const owners: (string | undefined)[] = [];
  const cloning: typeof instantCloning = {
    ...instantCloning,
    create(request, signal) {
      owners.push(request.owner);
      return instantCloning.create(request, signal);
    },
  };
  const transcription = createBurstTranscription({ before: ({ request }) => void owners.push(request.owner) });
  const server = await startTestServer({ transcription, parts: { cloning } });
  context.after(() => server.close());
  const { id, key, headers } = await addMember(server);
  const references = [{ audio: Buffer.from("recording").toString("base64"), text: "words" }];
  for (const response of [
    await server.post({ text: "Hi.", format: "pcm", references }, { headers }),
    await send(server, form(recording), { headers }),
    // The last one: its recording is transcribed in the background.
    await createVoice(server.url, key),
  ]) {
    assert.ok(response.ok, await response.clone().text());
    await response.arrayBuffer();
  }
  await until(() => owners.length === 4, { what: "the recording is transcribed in the background" });
  assert.deepEqual(owners, [id, id, id, "refinement"]);
});
