import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TimestampEvent } from "@parlance/protocol";
import { connectLive, type LiveClient } from "../../../packages/server/src/testing/live-client.ts";
import { decodeAudio } from "../../../packages/speech/src/testing/decode-audio.ts";
import type { RealServer } from "../real-server.ts";

const FORMATS = ["pcm", "wav", "mp3", "opus"] as const;

export function liveSuite(server: RealServer): void {
  describe("the live socket with the real engine", () => {
    const connect = (path?: string): Promise<LiveClient> =>
      connectLive(server.url, {
        headers: { authorization: `Bearer ${server.key}` },
        ...(path === undefined ? {} : { path }),
      });
    const start = (request: object) => ({ event: "start", request: { text: "", seed: 7, ...request } });
    const text = (piece: string) => ({ event: "text", text: piece });

    /** Splits as in the tokens of a language model, and worse ones. */
    const pieces = [
      "Hel",
      "lo the",
      "re, it co",
      "sts 3",
      ".14 dol",
      "lars. [bre",
      "ak] A \ud83d",
      "\ude80 fl",
      "ew b",
      "y.",
    ];

    it("speaks a token stream that splits words, pairs, marks and numbers", async () => {
      const client = await connect("/v1/tts/live/with-timestamp");
      client.send(start({ format: "pcm", sample_rate: 24000 }), ...pieces.map(text), { event: "stop" });
      const { frames, finish } = await client.round();
      assert.equal(finish.reason, "stop");
      const newest = new Map(
        frames.flatMap((frame) => (frame.alignment ? [[frame.chunk_seq, frame.alignment] as const] : [])),
      );
      const words = [...newest.values()].flatMap((alignment) => alignment.segments.map((segment) => segment.text));
      assert.deepEqual(words, ["Hello", "there", "it", "costs", "3.14", "dollars", "A", "flew", "by"]);
      assert.equal(
        [...new Map(frames.map((frame) => [frame.chunk_seq, frame.content])).values()].join(""),
        pieces.join(""),
      );
      let time = 0;
      for (const frame of frames) {
        assert.ok(frame.time >= time);
        time = frame.time;
        assert.equal(frame.audio.length % 2, 0);
      }
      await client.close();
    });

    for (const format of FORMATS) {
      it(`gives ${format} that a player opens, with audio after each flush before more text is sent`, async () => {
        const client = await connect();
        client.send(start({ format }), text("This is the first sentence"), { event: "flush" });
        const audio: Uint8Array[] = [];
        const first = await client.next();
        assert.ok(typeof first === "object" && first.event === "audio");
        audio.push(first.audio);
        client.send(text(" and this is the second."), { event: "stop" });
        const rest = await client.round();
        const file = Buffer.concat([...audio, rest.audio]);
        if (format === "pcm") assert.ok(file.length > 44100 * 2 * 1.5);
        else assert.ok(decodeAudio(file).samples.length > decodeAudio(file).sampleRate * 1.5);
        await client.close();
      });
    }

    it("has correct times in two rounds of one socket, each a separate file", async () => {
      const client = await connect();
      const spoken: Buffer[] = [];
      for (let round = 0; round < 2; round += 1) {
        client.send(start({ format: "wav" }), text("Once more."), { event: "stop" });
        spoken.push((await client.round()).audio);
      }
      assert.deepEqual(spoken[0], spoken[1]);
      await client.close();
    });
  });

  describe("the stream with timestamps with the real engine", () => {
    const post = (path: string, body: object) =>
      fetch(server.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${server.key}`, model: "s2-pro", "content-type": "application/json" },
        body: JSON.stringify(body),
      });

    for (const format of FORMATS) {
      it(`has the same ${format} as the stream without timestamps, and times within it`, async () => {
        const text = "That is $3.50, please. Come again soon! [break] And bring your friends along, all of them.";
        const request = { text, format, seed: 11, prosody: { speed: 1.2 } };
        const plain = Buffer.from(await (await post("/v1/tts", request)).arrayBuffer());
        const response = await post("/v1/tts/stream/with-timestamp", request);
        assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
        const events = (await response.text())
          .split("\n\n")
          .slice(0, -1)
          .map((event) => JSON.parse(event.replace(/^data: /, "")) as TimestampEvent);
        const whole = Buffer.concat(events.map((event) => Buffer.from(event.audio_base64, "base64")));
        assert.deepEqual(whole, plain);

        const newest = new Map(events.filter((event) => event.alignment).map((event) => [event.chunk_seq, event]));
        assert.equal([...newest.values()].map((event) => event.content).join(""), text);
        const words = [...newest.values()].flatMap((event) =>
          (event.alignment?.segments ?? []).map((segment) => ({
            text: segment.text,
            start: event.chunk_audio_offset_sec + segment.start,
            end: event.chunk_audio_offset_sec + segment.end,
          })),
        );
        assert.equal(
          words.map((word) => word.text).join(" "),
          "That is $3.50 please Come again soon And bring your friends along all of them",
        );
        const seconds =
          format === "pcm"
            ? plain.length / 2 / 44100
            : decodeAudio(plain).samples.length / decodeAudio(plain).sampleRate;
        let last = 0;
        for (const { text: word, start, end } of words) {
          assert.ok(
            start >= last - 0.011 && end >= start && end <= seconds + 0.05,
            `${word} ${start}–${end} of ${seconds}`,
          );
          last = end;
        }
      });
    }
  });
}
