import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { AudioError, AudioErrorCode } from "../../errors.ts";
import { type DecodeSession, openDecodeSession, speechClip } from "../../testing/decode-session.ts";
import { type MuxedAudio, muxAudio } from "../../testing/mux-audio.ts";
import { wavFile } from "../../testing/wav-file.ts";

let session: DecodeSession;
before(async () => {
  session = await openDecodeSession();
});
after(() => session.close());

const HOUR = 3600;
const limits = { minSeconds: 1, maxSeconds: HOUR };

function refusedAs(code: AudioErrorCode, seconds?: number): (error: AudioError) => boolean {
  return (error) => {
    assert.equal(error.name, "AudioError", error.stack);
    assert.equal(error.code, code);
    if (seconds !== undefined) assert.equal(error.seconds, seconds);
    return true;
  };
}

function mux(muxer: string, audio: MuxedAudio): Promise<Buffer> {
  const path = join(session.directory, "fixture");
  muxAudio(path, muxer, audio);
  return readFile(path);
}

// Not ogg vorbis: FFmpeg counts a file that is one page long (some seconds at most) up to 8 ms wrong.
const exact: Readonly<Record<string, readonly [muxer: string, encoder: MuxedAudio["encoder"], sampleRate: number]>> = {
  flac: ["flac", "flac", 44100],
  mp3: ["mp3", "libmp3lame", 44100],
  "mp3 of a low rate": ["mp3", "libmp3lame", 22050],
  m4a: ["ipod", "aac", 44100],
  "ogg opus": ["ogg", "libopus", 48000],
  "webm opus": ["webm", "libopus", 48000],
  aiff: ["aiff", "pcm_s16be", 44100],
};

for (const [name, [muxer, encoder, sampleRate]] of Object.entries(exact)) {
  test(`${name}: exactly one second passes, one sample less does not`, async () => {
    const clip = await speechClip(1, sampleRate);
    const of = (samples: Float32Array) => mux(muxer, { sampleRate, channels: [samples], ...(encoder && { encoder }) });
    assert.equal((await session.decode(await of(clip), limits)).seconds, 1);
    const shorter = await of(clip.subarray(1));
    await assert.rejects(session.decode(shorter, limits), refusedAs("too_short", (sampleRate - 1) / sampleRate));
  });
}

test("wav: exactly one second and exactly one hour pass, one sample less or more does not", async () => {
  const sampleRate = 8000;
  const header = wavFile([new Float32Array(0)], { sampleRate, samples: "u8", sizes: 0xffffffff });
  const of = (samples: number) => Buffer.concat([header, Buffer.alloc(samples, 128)]);
  for (const seconds of [1, HOUR]) {
    assert.equal((await session.decode(of(seconds * sampleRate), limits)).seconds, seconds);
  }
  await assert.rejects(session.decode(of(sampleRate - 1), limits), refusedAs("too_short", 1 - 1 / sampleRate));
  await assert.rejects(session.decode(of(HOUR * sampleRate + 1), limits), refusedAs("too_long"));
});

test("an hour of silence in a few kilobytes passes; a day of it is refused as soon as the hour is over", async () => {
  const sampleRate = 8000;
  const silence = (seconds: number) =>
    mux("flac", {
      sampleRate,
      encoder: "flac",
      encoderOptions: { frame_size: 65535 },
      channels: [new Float32Array(seconds * sampleRate)],
    });
  const hour = await silence(HOUR);
  assert.ok(hour.length < 20_000, `${hour.length} bytes`);
  assert.equal((await session.decode(hour, limits)).seconds, HOUR);
  const frames = hour.subarray(hour.indexOf(Buffer.from([0xff, 0xf8])));
  const day = Buffer.concat([hour, ...new Array<Buffer>(23).fill(frames)]);
  await assert.rejects(session.decode(day, limits), (error: AudioError) => {
    assert.equal(error.code, "too_long");
    assert.ok(error.seconds !== undefined && error.seconds < HOUR + 10, `${error.seconds}`);
    return true;
  });
});

test("a refused file leaves no samples", async () => {
  const source = join(session.directory, "short");
  const target = join(session.directory, "short.samples");
  await writeFile(source, wavFile([new Float32Array(100)], { sampleRate: 16000 }));
  const decoding = session.decoder.decode(
    source,
    target,
    { sampleRate: 16000, ...limits },
    new AbortController().signal,
  );
  await assert.rejects(decoding, refusedAs("too_short", 100 / 16000));
  assert.ok(!(await readdir(session.directory)).includes("short.samples"));
});
