import assert from "node:assert/strict";
import { it } from "node:test";
import { createEncoder } from "./index.ts";
import { adtsFrames, mp4Head } from "./m4b.ts";

/** The boxes of a type, anywhere in the file. */
function find(bytes: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(type, 0, "latin1"); at >= 0; at = bytes.indexOf(type, at + 1, "latin1"))
    found.push(bytes.subarray(at + 4, at - 4 + bytes.readUInt32BE(at - 4)));
  return found;
}

it("an audiobook has its frames where its tables say, and its chapters twice", async () => {
  const sampleRate = 24_000;
  const encoder = createEncoder({ format: "aac", sampleRate, mp3Bitrate: 128, opusBitrate: "auto" });
  const tone = Float32Array.from({ length: sampleRate * 4 }, (_, index) => Math.sin(index / 20) / 4);
  const frames = [...adtsFrames(Buffer.concat([await encoder.encode(tone), await encoder.finish()]))];
  const chapters = [
    { title: "Eins", start: 0 },
    { title: "Zwei – ü", start: 2.5 },
  ];
  const head = mp4Head({ title: "Ein Buch", sampleRate, frameBytes: frames.map(({ length }) => length), chapters });
  const file = Buffer.concat([head, ...frames]);
  const [audio, names] = find(file, "co64").map((table) => Number(table.readBigUInt64BE(8)));
  assert.deepEqual(file.subarray(audio, (audio ?? 0) + 8), Buffer.from(frames[0] ?? []).subarray(0, 8));
  assert.equal(names, file.indexOf("Eins", file.indexOf("mdat")) - 2);
  const [sizes] = find(file, "stsz");
  assert.equal(sizes?.readUInt32BE(8), frames.length);
  assert.equal(file.length, head.length + frames.reduce((sum, { length }) => sum + length, 0));
  const [list] = find(file, "chpl");
  assert.equal(list?.readUInt8(8), 2);
  assert.match(list?.toString() ?? "", /Eins[\s\S]*Zwei – ü/);
  const [data] = find(file, "mdat");
  assert.ok(data);
  assert.equal(
    Number(file.readBigUInt64BE(file.indexOf("mdat", 0, "latin1") + 4)),
    file.length - file.indexOf("mdat", 0, "latin1") + 4,
  );
});

it("bytes that are no frames are refused", () => {
  assert.throws(() => [...adtsFrames(new Uint8Array(20))], /ADTS/);
});
