import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  assertSameSound,
  type DecodeSession,
  LISTENING_RATE,
  openDecodeSession,
  speechClip,
} from "../../testing/decode-session.ts";
import { type MuxedAudio, muxAudio } from "../../testing/mux-audio.ts";
import { noise } from "../../testing/signals.ts";
import { createEncoder } from "../encode/index.ts";

const SECONDS = 3;
let session: DecodeSession;
let clip: Float32Array;
before(async () => {
  session = await openDecodeSession();
  clip = await speechClip(SECONDS);
});
after(() => session.close());

interface Kind extends Omit<MuxedAudio, "channels" | "sampleRate"> {
  readonly muxer: string;
  readonly sampleRate?: number;
  readonly codec: string;
  /** The container has no information about the codec's padding. */
  readonly padded?: boolean;
}

const kinds: Readonly<Record<string, Kind>> = {
  "mp3 with a header for players": { muxer: "mp3", encoder: "libmp3lame", codec: "mp3float" },
  "mp3 of a variable rate": {
    muxer: "mp3",
    encoder: "libmp3lame",
    encoderOptions: { flags: "qscale", global_quality: 4 * 118 },
    codec: "mp3float",
  },
  "mp3 of frames alone": {
    muxer: "mp3",
    encoder: "libmp3lame",
    muxerOptions: { write_xing: 0, id3v2_version: 0 },
    codec: "mp3float",
    padded: true,
  },
  "ogg opus": { muxer: "ogg", encoder: "libopus", sampleRate: 48000, codec: "opus" },
  "ogg vorbis": { muxer: "ogg", encoder: "libvorbis", codec: "vorbis" },
  "ogg flac": { muxer: "ogg", encoder: "flac", codec: "flac" },
  flac: { muxer: "flac", encoder: "flac", codec: "flac" },
  "m4a aac": { muxer: "ipod", encoder: "aac", codec: "aac" },
  "m4a alac": { muxer: "ipod", encoder: "alac", codec: "alac" },
  "mp4 in fragments": {
    muxer: "mp4",
    encoder: "aac",
    muxerOptions: { movflags: "frag_keyframe+empty_moov" },
    codec: "aac",
    padded: true,
  },
  "aac alone": { muxer: "adts", encoder: "aac", codec: "aac", padded: true },
  "webm opus": { muxer: "webm", encoder: "libopus", sampleRate: 48000, codec: "opus" },
  "matroska vorbis": { muxer: "matroska", encoder: "libvorbis", codec: "vorbis" },
  aiff: { muxer: "aiff", encoder: "pcm_s16be", codec: "pcm_s16be" },
  caf: { muxer: "caf", encoder: "pcm_s16be", codec: "pcm_s16be" },
  au: { muxer: "au", encoder: "pcm_s16be", codec: "pcm_s16be" },
  "a large wav": { muxer: "w64", encoder: "pcm_s16le", codec: "pcm_s16le" },
  "wav adpcm": { muxer: "wav", encoder: "adpcm_ima_wav", codec: "adpcm_ima_wav", padded: true },
  wma: { muxer: "asf", encoder: "wmav2", bitRate: 64000, codec: "wmav2", padded: true },
  ac3: { muxer: "ac3", encoder: "ac3", bitRate: 96000, codec: "ac3", padded: true },
  "mp4 video": { muxer: "mp4", encoder: "aac", video: true, codec: "aac" },
  "mpeg transport stream": { muxer: "mpegts", encoder: "aac", video: true, codec: "aac", padded: true },
};

async function mux({ muxer, sampleRate = 44100, ...rest }: Omit<Kind, "codec">): Promise<Buffer> {
  const path = join(session.directory, "fixture");
  muxAudio(path, muxer, { channels: [await speechClip(SECONDS, sampleRate)], sampleRate, ...rest });
  return readFile(path);
}

for (const [name, { codec, padded, ...kind }] of Object.entries(kinds)) {
  test(`decodes ${name}`, async () => {
    const decoded = await session.decode(await mux(kind));
    assert.equal(decoded.codec, codec);
    assert.equal(decoded.channels, 1);
    assert.equal(decoded.sourceRate, kind.sampleRate ?? 44100);
    assert.equal(decoded.samples, decoded.sound.length);
    assert.equal(decoded.samples, Math.round(decoded.seconds * LISTENING_RATE));
    if (padded) {
      assert.ok(Math.abs(decoded.seconds - SECONDS) < 0.1, `${decoded.seconds} s`);
      assertSameSound(decoded.sound, clip, 0.98, 1600);
    } else {
      assert.equal(decoded.seconds, SECONDS);
      assertSameSound(decoded.sound, clip, 0.98);
    }
  });
}

for (const format of ["wav", "mp3", "opus"] as const) {
  test(`decodes the ${format} that the encoder makes`, async () => {
    const sampleRate = format === "opus" ? 48000 : 44100;
    const encoder = createEncoder({ format, sampleRate, mp3Bitrate: 128, opusBitrate: "auto" });
    const file = Buffer.concat([await encoder.encode(await speechClip(SECONDS, sampleRate)), await encoder.finish()]);
    encoder.close();
    const decoded = await session.decode(file);
    if (format !== "mp3") assert.equal(decoded.seconds, SECONDS);
    assertSameSound(decoded.sound, clip, 0.98, format === "mp3" ? 1600 : 0);
  });
}

test("decodes amr of narrow band", async () => {
  const decoded = await session.decode(await readFile(new URL("../../testing/fixtures/jfk-nb.amr", import.meta.url)));
  assert.deepEqual([decoded.codec, decoded.sourceRate, decoded.seconds], ["amrnb", 8000, 2]);
  assertSameSound(decoded.sound, clip.subarray(0, 2 * LISTENING_RATE), 0.7, 400);
});

test("decodes amr of wide band", async () => {
  // There is no encoder for it, but any bits are some sound: 50 frames of 12.65 kbit/s are one second.
  const frame = (i: number) => Buffer.from([0x14, ...noise(32, 128, i + 1).map((value) => value + 128)]);
  const file = Buffer.concat([Buffer.from("#!AMR-WB\n"), ...Array.from({ length: 50 }, (_, i) => frame(i))]);
  const { codec, sourceRate, seconds } = await session.decode(file);
  assert.deepEqual([codec, sourceRate, seconds], ["amrwb", 16000, 1]);
});

test("finds the index of an m4a at its end and at its start", async () => {
  const m4a = { muxer: "ipod", encoder: "aac" } as const;
  const atEnd = await mux(m4a);
  const atStart = await mux({ ...m4a, muxerOptions: { movflags: "+faststart" } });
  assert.ok(atEnd.indexOf("moov") > atEnd.indexOf("mdat"));
  assert.ok(atStart.indexOf("moov") < atStart.indexOf("mdat"));
  for (const file of [atEnd, atStart]) assert.equal((await session.decode(file)).seconds, SECONDS);
});

test("the middle part of an mp3 is decoded", async () => {
  const whole = await mux({ muxer: "mp3", encoder: "libmp3lame", bitRate: 128_000 });
  const bytesPerSecond = 16_000;
  const from = Math.round(0.7 * bytesPerSecond) + 13;
  const to = Math.round(2.6 * bytesPerSecond) + 7;
  const decoded = await session.decode(whole.subarray(from, to));
  assert.ok(Math.abs(decoded.seconds - 1.9) < 0.1, `${decoded.seconds} s`);
  assertSameSound(clip.subarray(0.6 * LISTENING_RATE), decoded.sound, 0.95, 4800);
});

for (const [name, muxer, encoder] of [
  ["flac", "flac", "flac"],
  ["ogg", "ogg", "libvorbis"],
  ["adts", "adts", "aac"],
  ["webm", "webm", "libopus"],
] as const) {
  test(`a ${name} that is truncated is decoded as far as possible`, async () => {
    const whole = await mux({ muxer, encoder, sampleRate: 48000 });
    const decoded = await session.decode(whole.subarray(0, Math.round(whole.length * 0.6)));
    assert.ok(decoded.seconds > 0.3 * SECONDS && decoded.seconds < SECONDS, `${decoded.seconds} s`);
    assertSameSound(decoded.sound, clip, 0.95, muxer === "adts" ? 1600 : 0);
  });
}

test("an mp3 with megabytes of pictures before and a title after the audio is decoded", async () => {
  const mp3 = await mux({ muxer: "mp3", encoder: "libmp3lame", muxerOptions: { id3v2_version: 0 } });
  const picture = Buffer.alloc(3_000_000, 0xff);
  const sevenBits = [21, 14, 7, 0].map((shift) => (picture.length >> shift) & 127);
  const tag = Buffer.concat([Buffer.from("ID3\x03\x00\x00", "latin1"), Buffer.from(sevenBits), picture]);
  const title = Buffer.alloc(128);
  title.write("TAGFour score and seven years ago", "latin1");
  const decoded = await session.decode(Buffer.concat([tag, mp3, title]));
  assert.equal(decoded.seconds, SECONDS);
  assertSameSound(decoded.sound, clip, 0.98);
});

test("concatenated files of different rates and channels are decoded in order", async () => {
  const of = async (muxer: string, encoder: Kind["encoder"], sampleRate: number, twice: boolean) => {
    const mono = await speechClip(SECONDS, sampleRate);
    const path = join(session.directory, "fixture");
    muxAudio(path, muxer, { sampleRate, channels: twice ? [mono, mono] : [mono], ...(encoder && { encoder }) });
    return readFile(path);
  };
  for (const [muxer, encoder] of [
    ["mp3", "libmp3lame"],
    ["adts", "aac"],
  ] as const) {
    const file = Buffer.concat([await of(muxer, encoder, 44100, false), await of(muxer, encoder, 32000, true)]);
    const { seconds, sound } = await session.decode(file);
    assert.ok(Math.abs(seconds - 2 * SECONDS) < 0.2, `${muxer}: ${seconds} s`);
    const second = sound.subarray((SECONDS - 0.1) * LISTENING_RATE);
    assertSameSound(sound, clip, 0.98, 1600);
    assertSameSound(second, clip, 0.95, 4800);
  }
});

test("an ogg with several consecutive streams is decoded to the end", async () => {
  const opus = await mux({ muxer: "ogg", encoder: "libopus", sampleRate: 48000 });
  const { seconds } = await session.decode(Buffer.concat([opus, opus, opus]));
  assert.ok(Math.abs(seconds - 3 * SECONDS) < 0.1, `${seconds} s`);
});
