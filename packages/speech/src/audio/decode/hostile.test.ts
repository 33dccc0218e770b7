import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { FormatContext } from "node-av/lib";
import type { AudioError, AudioErrorCode } from "../../errors.ts";
import { type DecodeSession, openDecodeSession, speechClip } from "../../testing/decode-session.ts";
import { createMutator } from "../../testing/mutate.ts";
import { type MuxedAudio, muxAudio } from "../../testing/mux-audio.ts";
import { noise } from "../../testing/signals.ts";
import { wavFile } from "../../testing/wav-file.ts";

let session: DecodeSession;
before(async () => {
  session = await openDecodeSession();
});
after(() => session.close());

async function assertRefused(file: Uint8Array, ...codes: AudioErrorCode[]): Promise<void> {
  await assert.rejects(session.decode(file, { minSeconds: 1, maxSeconds: 60 }), (error: AudioError) => {
    assert.equal(error.name, "AudioError", error.stack);
    assert.ok(codes.includes(error.code), `${error.code}: ${error.message}`);
    return true;
  });
}

async function mux(muxer: string, audio: Omit<MuxedAudio, "sampleRate">, sampleRate = 44100): Promise<Buffer> {
  const path = join(session.directory, "fixture");
  muxAudio(path, muxer, { sampleRate, ...audio });
  return readFile(path);
}

const bytes = (length: number, seed: number) => Buffer.from(noise(length, 128, seed).map((value) => value + 128));
const text = (content: string) => Buffer.from(content.repeat(3));

const notAudio: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  "one byte": Buffer.from("R"),
  zeros: Buffer.alloc(100_000),
  "a text": text("Four score and seven years ago our fathers brought forth. "),
  "a web page": text("<!doctype html><html><body><p>404</p></body></html>"),
  json: text('{"audio": "https://example.com/a.mp3"}\n'),
  "a PDF": text("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"),
  "a picture (png)": Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), bytes(5000, 1)]),
  "a picture (jpeg)": Buffer.concat([Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"), bytes(5000, 2)]),
  "a picture (gif)": Buffer.concat([Buffer.from("GIF89a"), bytes(5000, 3)]),
  "a zip": Buffer.concat([Buffer.from("504b0304140000000800", "hex"), bytes(5000, 4)]),
  "a program": Buffer.concat([Buffer.from("7f454c460201010000000000", "hex"), bytes(5000, 5)]),
  subtitles: text("1\n00:00:01,000 --> 00:00:02,000\nhello\n\n"),
  "the start of a WAV": Buffer.from("RIFF\xff\xff\xff\xffWAVEfmt ", "latin1"),
  "the start of an ogg": Buffer.from("OggS\0\x02\0\0\0\0\0\0", "latin1"),
  "an ID3 tag without an end": Buffer.concat([Buffer.from("ID3\x04\0\0\x7f\x7f\x7f\x7f", "latin1"), bytes(999, 6)]),
};

for (const [name, file] of Object.entries(notAudio)) {
  test(`refuses ${name}`, () => assertRefused(file, "undecodable"));
}

test("refuses random bytes", async () => {
  for (let seed = 1; seed <= 40; seed++)
    await assertRefused(bytes(20_000, seed), "undecodable", "too_short", "no_audio");
});

test("refuses a video without an audio track", async () => {
  await assertRefused(await mux("mp4", { video: true }), "no_audio");
  await assertRefused(await mux("matroska", { video: true }), "no_audio");
});

test("refuses headers with impossible values", async () => {
  const second = wavFile([noise(16_000, 0.3)], { sampleRate: 16_000 });
  const withHeader = (change: (header: Buffer) => void) => {
    const file = Buffer.from(second);
    change(file);
    return file;
  };
  // 65 535 channels, a rate of 4 GHz, of 1 Hz (a day in a few kilobytes), of nothing, samples of 65 535 bits
  for (const file of [
    withHeader((header) => header.writeUInt16LE(0xffff, 22)),
    withHeader((header) => header.writeUInt32LE(0xffffffff, 24)),
    withHeader((header) => header.writeUInt32LE(1, 24)),
    withHeader((header) => header.writeUInt32LE(0, 24)),
    withHeader((header) => header.writeUInt16LE(0xffff, 34)),
  ]) {
    await assertRefused(file, "undecodable", "too_short", "too_long");
  }
  // An index for four thousand million samples at the same position.
  const m4a = await mux("ipod", { encoder: "aac", channels: [noise(44100, 0.3)] });
  for (const table of ["stsz", "stts", "stsc", "stco"]) {
    const file = Buffer.from(m4a);
    const at = file.indexOf(table);
    assert.ok(at > 0, table);
    file.writeUInt32BE(0x7fffffff, at + (table === "stsz" ? 12 : 8));
    await session
      .decode(file, { maxSeconds: 60 })
      .catch((error) => assert.equal(error.name, "AudioError", error.stack));
  }
});

test("an endless ogg stream ends", async () => {
  const ogg = await mux("ogg", { encoder: "libopus", channels: [noise(48_000, 0.3)] }, 48_000);
  await assertRefused(Buffer.concat(new Array<Buffer>(100).fill(ogg)), "too_long");
  // Repeated pages after the last page are not part of the stream.
  const tail = ogg.subarray(ogg.indexOf("OggS", 300, "latin1"));
  const { seconds } = await session.decode(Buffer.concat([ogg, ...new Array<Buffer>(500).fill(tail)]));
  assert.ok(seconds < 2, `${seconds} s`);
});

test("silence in opus, which takes few bytes, is refused as soon as it is too long", async () => {
  const options = { encoderOptions: { frame_duration: 60 }, bitRate: 6000 };
  const silence = [new Float32Array(70 * 48_000)];
  const opus = await mux("ogg", { encoder: "libopus", channels: silence, ...options }, 48_000);
  assert.ok(opus.length < 30_000, `${opus.length} bytes`);
  await assertRefused(opus, "too_long");
});

test("eight channels are mixed to one", async () => {
  const channels = Array.from({ length: 8 }, (_, seed) => noise(2 * 44_100, 0.1, seed + 1));
  const decoded = await session.decode(await mux("flac", { encoder: "flac", channels }));
  assert.equal(decoded.channels, 8);
  assert.ok(Math.abs(decoded.seconds - 2) < 0.01, `${decoded.seconds} s`);
});

test("refuses an mp4 without its index", async () => {
  const file = await mux("ipod", { encoder: "aac", channels: [noise(4 * 44_100, 0.3)] });
  const index = file.indexOf("moov") - 4;
  assert.ok(index > file.length / 2, "the index is at the end");
  await assertRefused(file.subarray(0, index), "undecodable", "no_audio");
  const renamed = Buffer.from(file);
  renamed.write("none", index + 4, "latin1");
  await assertRefused(renamed, "undecodable", "no_audio");
});

test("no file makes the decoder read another file or open a connection", async () => {
  const secret = join(session.directory, "secret.wav");
  await writeFile(secret, wavFile([await speechClip(2)], { sampleRate: 16_000 }));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end(wavFile([noise(32_000, 0.3)], { sampleRate: 16_000 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const lists = [
      secret,
      "secret.wav",
      `file:${secret}`,
      `${address}/a.wav`,
      `concat:${secret}`,
      `subfile,,:${secret}`,
    ];
    for (const entry of lists) {
      for (const playlist of [
        `ffconcat version 1.0\nfile ${entry}\nfile '${entry}'\n`,
        `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${entry}\n#EXT-X-ENDLIST\n`,
        `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${entry}"\n#EXTINF:10,\n${entry}\n`,
        `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT9S"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1"><BaseURL>${entry}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
        `;FFMETADATA1\ntitle=${entry}\n`,
        `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\na=control:${entry}\n`,
        `[playlist]\nFile1=${entry}\nNumberOfEntries=1\n`,
      ]) {
        await assertRefused(Buffer.from(playlist), "undecodable");
      }
    }
    // An index that refers to another file.
    const movie = await mux("mov", { encoder: "pcm_s16le", channels: [noise(44100, 0.3)] });
    const reference = movie.indexOf("url ", movie.indexOf("dref"));
    movie.writeUInt32BE(0, reference + 4);
    await session.decode(movie).catch((error) => assert.equal(error.name, "AudioError", error.stack));
    assert.deepEqual(requests, []);
    await assertThatItWouldWithoutLimits(secret);
  } finally {
    server.close();
  }
});

/** PARLANCE_TEST_FUZZ=10 tries ten times as many. */
const DAMAGED = 500 * Number(process.env.PARLANCE_TEST_FUZZ ?? 1);

/** Otherwise the test above would prove nothing. */
async function assertThatItWouldWithoutLimits(secret: string): Promise<void> {
  const list = join(session.directory, "list");
  await writeFile(list, `ffconcat version 1.0\nfile secret.wav\n`);
  const format = new FormatContext();
  assert.equal(format.openInputSync(list), 0);
  format.findStreamInfoSync();
  assert.equal(format.streams[0]?.codecpar.sampleRate, 16_000, secret);
  format.closeInputSync();
}

test(`${DAMAGED} damaged files each decode or are refused, and none of them ends a process`, async () => {
  const sampleRate = 48_000;
  const channels = [await speechClip(1.5, sampleRate)];
  const originals: Buffer[] = [];
  for (const [muxer, encoder] of [
    ["mp3", "libmp3lame"],
    ["ogg", "libopus"],
    ["ogg", "libvorbis"],
    ["flac", "flac"],
    ["ipod", "aac"],
    ["ipod", "alac"],
    ["adts", "aac"],
    ["webm", "libopus"],
    ["matroska", "aac"],
    ["aiff", "pcm_s16be"],
    ["caf", "alac"],
    ["mpegts", "aac"],
    ["asf", "wmav2"],
    ["wav", "adpcm_ima_wav"],
  ] as const) {
    originals.push(await mux(muxer, { encoder, channels, ...(muxer === "asf" && { bitRate: 64_000 }) }, sampleRate));
  }
  originals.push(await mux("mp4", { encoder: "aac", channels, video: true }, sampleRate));
  originals.push(wavFile(channels, { sampleRate, samples: "s24", extensible: true }));
  originals.push(await readFile(new URL("../../testing/fixtures/jfk-nb.amr", import.meta.url)));

  const mutate = createMutator(20_250);
  const seen = new Set<number>();
  let decoded = 0;
  const files = Array.from({ length: DAMAGED }, (_, i) => i).values();
  const lane = async () => {
    for (const i of files) {
      const file = mutate(
        originals[i % originals.length] ?? Buffer.alloc(0),
        originals[(7 * i + 3) % originals.length] ?? Buffer.alloc(0),
      );
      try {
        await session.decode(file, { minSeconds: 1, maxSeconds: 60, timeoutMs: 30_000 });
        decoded++;
      } catch (error) {
        const { name, code, message } = error as AudioError;
        assert.equal(name, "AudioError", `${i}: ${message}`);
        assert.ok(code !== "too_costly" && !message.includes("ended"), `${i}: ${message}`);
      }
      for (const { pid } of session.decoder.processes()) seen.add(pid);
    }
  };
  await Promise.all([lane(), lane()]);
  assert.ok(decoded > DAMAGED / 4 && decoded < DAMAGED * 0.95, `${decoded} could still be decoded`);
  assert.ok(seen.size > DAMAGED / 200 && seen.size < DAMAGED / 30, `${seen.size} processes took part`);
  assert.ok(!(await readdir(session.directory)).some((name) => name.endsWith(".samples")));
});
