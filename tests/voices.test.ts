import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Parlance } from "@parlance/client";
import { type ApiError, VOICE_LIMITS, type VoiceModel, voiceModel } from "@parlance/protocol";
import Database from "libsql";
import { wavFile } from "../packages/server/src/testing/wav-file.ts";
import { decodeAudio } from "../packages/speech/src/testing/decode-audio.ts";
import { pngFile } from "../packages/speech/src/testing/png-file.ts";
import { concatSamples } from "../packages/speech/src/testing/signals.ts";
import { startVoiceServer, type VoiceServer } from "./clients/voice-server.ts";
import { until } from "./support/until.ts";

const KEY = "voices-key-0123456789";

describe("creating voices", { timeout: 290_000 }, () => {
  let server: VoiceServer;
  let client: Parlance;
  let clip: Blob;
  before(async () => {
    server = await startVoiceServer({ settings: { adminKey: KEY } });
    client = new Parlance({ baseUrl: server.url, apiKey: KEY, timeoutMs: 300_000 });
    clip = new Blob([new Uint8Array(await server.clip("0870"))]);
  });
  after(() => server.close());

  const send = async (
    form: FormData | string,
    headers: Record<string, string> = {},
    method = "POST",
    path = "/model",
  ) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${KEY}`, ...headers },
      body: form,
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  const formOf = (voices: readonly Blob[], fields: Record<string, string> = { title: "A voice" }) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const voice of voices) form.append("voices", voice, "voice.wav");
    return form;
  };
  const silence = (seconds: number) => new Blob([wavFile(new Int16Array(Math.round(seconds * 16_000)), 16_000)]);

  it("reports all issues of the shape at once, with their positions", async () => {
    const { status, body } = await send(formOf([], { enhance_audio_quality: "perhaps" }));
    assert.equal(status, 422);
    assert.deepEqual(body.map(({ loc, in: where }: { loc: string[]; in: string }) => [...loc, where]).sort(), [
      ["enhance_audio_quality", "body"],
      ["title", "body"],
      ["voices", "body"],
    ]);
  });

  const large = new Blob([new Uint8Array(VOICE_LIMITS.fileBytes + 1)]);
  for (const [name, voices, fields, status, message] of [
    ["21 recordings", () => Array.from({ length: 21 }, () => silence(1)), {}, 400, /^voices: .* at most 20/],
    ["a recording over its limit", () => [large], {}, 413, /^voices: a file is over the limit of 10000000 bytes/],
    ["a recording shorter than a second", () => [silence(0.9)], {}, 400, /^voices: recording 1 is too short/],
    ["a recording longer than two minutes", () => [clip, silence(120.5)], {}, 400, /^voices: recording 2 is too long/],
    ["silence", () => [silence(3)], {}, 400, /^voices: recording 1 has no speech/],
    ["what is no recording", () => [new Blob(["#!/bin/sh"])], {}, 400, /^voices: recording 1 cannot be decoded/],
    ["nothing in a file", () => [new Blob([])], {}, 400, /^voices: recording 1 cannot be decoded/],
    ["an empty title", () => [clip], { title: "   " }, 400, /^title: /],
    ["a title with a control character", () => [clip], { title: "a\u0000b" }, 400, /^title: /],
    ["a title that is too long", () => [clip], { title: "x".repeat(101) }, 400, /^title: /],
    ["a description that is too long", () => [clip], { description: "x".repeat(2001) }, 400, /^description: /],
    ["too many tags", () => [clip], { tags: Array.from({ length: 21 }, (_, i) => `t${i}`).join(",") }, 400, /^tags: /],
    ["another visibility", () => [clip], { visibility: "everyone" }, 400, /^visibility: /],
    ["another type", () => [clip], { type: "svc" }, 400, /^type: /],
    ["another way to train", () => [clip], { train_mode: "full" }, 400, /^train_mode: /],
  ] as const) {
    it(`refuses ${name}, and stores nothing`, async () => {
      const answer = await send(formOf(voices(), { title: "A voice", ...fields }));
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.match(answer.body.message, message);
      assert.deepEqual(Object.keys(answer.body), ["status", "message"]);
      assert.equal((await client.voices.list({ self: true })).total, 0);
    });
  }

  it("refuses more texts than recordings, invalid pictures, and other encodings", async () => {
    const texts = formOf([clip]);
    for (const text of ["one", "two"]) texts.append("texts", text);
    assert.match((await send(texts)).body.message, /^texts: .* only 1 recordings/);
    for (const [picture, reason] of [
      [new Blob(["<svg onload=alert(1)>"]), /PNG, JPEG or WebP/],
      [new Blob([new Uint8Array(pngFile(8, 8).subarray(0, 40))]), /cannot be decoded/],
    ] as const) {
      const form = formOf([clip]);
      form.append("cover_image", picture, "cover.png");
      const { status, body } = await send(form);
      assert.equal(status, 400);
      assert.match(body.message, /^cover_image: /);
      assert.match(body.message, reason);
    }
    assert.equal((await send("{}", { "content-type": "text/plain" })).status, 415);
    assert.equal((await send("{}", { "content-type": "application/json" })).status, 422);
    assert.equal((await send("x", { "content-type": "multipart/form-data; boundary=y" })).status, 422);
    assert.equal((await send("\xc1", { "content-type": "application/msgpack" })).status, 422);
    assert.equal((await client.voices.list({ self: true })).total, 0);
  });

  it("stores text of users unchanged, and never uses it as a path or markup", async () => {
    const title = "../../x'; drop table voices; --<script>";
    const form = new FormData();
    form.append("title", title);
    form.append("tags", "<img src=x>,../..,' or ''='");
    form.append("voices", clip, "../../../../tmp/evil.wav\r\nX-Evil: 1");
    // What a browser sends when no picture was chosen.
    form.append("cover_image", new Blob([]), "");
    const { status, body } = await send(form);
    assert.equal(status, 201);
    const made = voiceModel.parse(body);
    assert.equal(made.title, title);
    assert.deepEqual(made.tags, ["<img src=x>", "../..", "' or ''='"]);
    assert.equal((await client.voices.list({ tag: "' or ''='", self: true })).total, 1);
    await client.voices.delete(made._id);
  });

  it("creates, lists, speaks with and deletes a voice as clients of ElevenLabs do", async () => {
    const headers = { "xi-api-key": KEY };
    const form = new FormData();
    form.append("name", "A narrator");
    form.append("files", clip, "voice.wav");
    const add = await fetch(`${server.url}/v1/voices/add`, { method: "POST", headers, body: form });
    const { voice_id: id } = (await add.json()) as { voice_id: string };
    assert.equal(add.status, 200);
    const found = (await (await fetch(`${server.url}/v1/voices/${id}`, { headers })).json()) as Record<string, unknown>;
    assert.deepEqual([found.name, found.category, found.is_owner], ["A narrator", "cloned", true]);
    const speech = await fetch(`${server.url}/v1/text-to-speech/${id}?output_format=pcm_16000`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ text: "Good morning." }),
    });
    assert.equal(speech.status, 200);
    assert.ok((await speech.arrayBuffer()).byteLength > 8000);
    const remove = await fetch(`${server.url}/v1/voices/${id}`, { method: "DELETE", headers });
    assert.deepEqual(await remove.json(), { status: "ok" });
    const gone = await fetch(`${server.url}/v1/voices/${id}`, { headers });
    assert.equal(gone.status, 404);
    assert.ok("detail" in ((await gone.json()) as object));

    const empty = new FormData();
    empty.append("name", "Without a recording");
    const refused = await fetch(`${server.url}/v1/voices/add`, { method: "POST", headers, body: empty });
    assert.equal(refused.status, 422);
    assert.ok("detail" in ((await refused.json()) as object));
  });

  it("names a voice of the account where it speaks in a recording", async () => {
    const voice = await client.voices.create({ title: "The reader", voices: [clip] });
    // Recordings that the voice was not made from.
    const parts = [await server.clip("0880"), await server.kennedy(), await server.clip("0890")].map(decodeAudio);
    assert.ok(parts.every(({ sampleRate }) => sampleRate === 16_000));
    const pause = new Float32Array(8000);
    const dialogue = concatSamples(parts.flatMap(({ samples }) => [samples, pause]));
    const pcm = Int16Array.from(dialogue, (sample) => Math.round(sample * 32_767));
    const recording = new Blob([wavFile(pcm, 16_000)]);
    const options = { language: "en", knownSpeakers: [voice._id] } as const;
    const { segments, speakers } = await client.asr.transcribe(recording, options);
    const turns = segments.map(({ speaker }) => speaker).filter((each, index, all) => each !== all[index - 1]);
    assert.deepEqual(turns, ["The reader", "A", "The reader"]);
    assert.deepEqual(
      speakers?.map(({ speaker }) => speaker),
      ["The reader", "A"],
    );
    await client.voices.delete(voice._id);
    await assert.rejects(client.asr.transcribe(recording, options), { code: "unknown_voice" });
  });

  it("completes a running stream when its voice is deleted, and starts no other", async () => {
    const voice = await client.voices.create({ title: "Short-lived", voices: [clip] });
    const text = Array.from({ length: 8 }, (_, i) => `This is sentence number ${i + 1}.`).join(" ");
    const speak = (words: string) =>
      fetch(`${server.url}/v1/tts`, {
        method: "POST",
        headers: { authorization: `Bearer ${KEY}`, model: "s2-pro", "content-type": "application/json" },
        body: JSON.stringify({ text: words, format: "pcm", sample_rate: 16_000, reference_id: voice._id }),
      });
    const running = await speak(text);
    const reader = running.body?.getReader();
    await reader?.read();
    await client.voices.delete(voice._id);
    assert.equal((await speak("Again.")).status, 400);
    let bytes = 0;
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) bytes += step.value.length;
    assert.ok(bytes > 16_000 * 2 * 10, `${bytes} bytes`);
  });

  it("stays consistent when four are created and deleted at once while others speak", async () => {
    const outcomes = { made: 0, refused: 0, late: 0 };
    await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        let voice: VoiceModel;
        try {
          voice = await client.voices.create({ title: `Voice ${index}`, voices: [clip], texts: ["given"] });
        } catch (error) {
          // Refused while the service is full.
          assert.ok([429, 503].includes((error as ApiError).status), String(error));
          outcomes.refused++;
          return;
        }
        outcomes.made++;
        const speaking = client.tts
          .convert({ text: "Hello.", reference_id: voice._id, format: "pcm" })
          .catch(() => undefined);
        await client.voices.delete(voice._id);
        await assert.rejects(client.voices.get(voice._id), (error: ApiError) => error.status === 404);
        await assert.rejects(
          async () => {
            await client.tts.convert({ text: "Too late.", reference_id: voice._id, format: "pcm" });
            outcomes.late++;
          },
          (error: ApiError) => error.status === 400,
        );
        await speaking;
      }),
    );
    assert.equal(outcomes.late, 0);
    assert.ok(outcomes.made >= 3, JSON.stringify(outcomes));
    assert.equal((await client.voices.list({ self: true })).total, 0);
    assert.deepEqual(left(server.data), { voices: 0, blobs: 0, labels: 0, likes: 0 });
  });

  it("speaks with a cloned voice in other languages with the same call", async () => {
    const voice = await client.voices.create({ title: "Of many tongues", voices: [clip], texts: ["given"] });
    assert.deepEqual(["en", "es", "fr", "hi", "it", "ja", "pt", "zh"], voice.languages.toSorted());
    for (const text of ["Buenos días a todos.", "Bonjour à tous.", "Buongiorno a tutti.", "नमस्ते दोस्तों।"]) {
      const audio = await client.tts.convert({ text, reference_id: voice._id, format: "pcm", sample_rate: 16_000 });
      assert.ok(audio.byteLength > 16_000, `${audio.byteLength} bytes: ${text}`);
    }
    await client.voices.delete(voice._id);
  });

  // Last, since it restarts the server.
  it("continues after a restart: transcribes a new voice for its pace, and makes one that was cloned for Piper anew", async () => {
    const [fresh, older] = [
      await client.voices.create({ title: "Fresh", voices: [clip] }),
      await client.voices.create({ title: "Older", voices: [clip], texts: ["given"] }),
    ];
    assert.deepEqual([fresh.state, fresh.refinement, older.refinement], ["trained", "waiting", "none"]);
    await server.stop();
    const database = new Database(join(server.data, "parlance.db"));
    // As the version before stored it.
    database
      .prepare("update voices set engine = 'piper', speaker = '', languages = '[]' where id = ?")
      .run([older._id]);
    database
      .prepare("update voice_blobs set bytes = zeroblob(2048) where voice_id = ? and kind = 'embedding'")
      .run([older._id]);
    database.prepare("delete from voice_blobs where voice_id = ? and kind = 'network-vector'").run([older._id]);
    database.close();
    server = await startVoiceServer({ data: server.data, settings: { adminKey: KEY } });
    const restarted = new Parlance({ baseUrl: server.url, apiKey: KEY, timeoutMs: 300_000 });
    const logged = (event: string) => server.log.find((line) => line.includes(`"${event}"`));
    const [paced, remade] = await until(
      () => {
        assert.equal(logged("voice.refinement-failed"), undefined, server.log.join("\n"));
        const lines = [logged("voice.pace-set"), logged("voice.remade")];
        return lines[0] !== undefined && lines[1] !== undefined && lines.map((line) => JSON.parse(line ?? ""));
      },
      { timeoutMs: 200_000, everyMs: 200 },
    );
    assert.deepEqual([paced.voiceId, remade.voiceId, remade.engine], [fresh._id, older._id, "piper"]);
    assert.notEqual(paced.pace, 1, "by what the recognizer wrote down");
    assert.deepEqual(versionsOf(server.data, older._id), versionsOf(server.data, fresh._id));
    for (const made of [fresh, older]) {
      const now = await restarted.voices.get(made._id);
      assert.equal(now.refinement, "done");
      assert.deepEqual(now.languages, fresh.languages);
      assert.notEqual(now.samples[0]?.audio.split("v=")[1], made.samples[0]?.audio.split("v=")[1]);
      const audio = await restarted.tts.convert({ text: "Good morning.", reference_id: made._id, format: "pcm" });
      assert.ok(audio.byteLength > 10_000);
    }
  });
});

/** The versions of the voice encoder of a voice, and of the speaker network of its recording. */
function versionsOf(data: string, id: string) {
  const database = new Database(join(data, "parlance.db"), { readonly: true });
  try {
    const version = (kind: string) => {
      const query = database.prepare("select text from voice_blobs where voice_id = ? and kind = ?");
      const { text } = query.get([id, kind]) as { text: string | null };
      assert.ok(text, kind);
      return text;
    };
    return { encoder: version("embedding"), network: version("network-vector") };
  } finally {
    database.close();
  }
}

/** What is left of cloned voices in the database. */
function left(data: string) {
  const database = new Database(join(data, "parlance.db"), { readonly: true });
  try {
    const count = (statement: string) => Number((database.prepare(statement).get([]) as { n: number }).n);
    return {
      voices: count("select count(*) as n from voices where user_id is not null"),
      blobs: count("select count(*) as n from voice_blobs where kind <> 'sample'"),
      labels: count("select count(*) as n from voice_labels where voice_id not in (select id from voices)"),
      likes: count("select count(*) as n from voice_likes"),
    };
  } finally {
    database.close();
  }
}
