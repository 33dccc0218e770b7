import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { createEncoder } from "../../audio/index.ts";
import { createOpusDecoders } from "../../audio/opus-packets/decoder-pool.ts";
import { createOggReader } from "../../audio/opus-packets/ogg-packets.ts";
import { AudioError } from "../../errors.ts";
import { createChannel } from "../../lib/channel.ts";
import type { Listening, ListeningEvent } from "../../listening.ts";
import { tone } from "../../testing/signals.ts";
import { untilCollected } from "../../testing/until-collected.ts";
import { listenToOpus } from "./opus-listening.ts";

const SECONDS = 1.2;

/** Collects the samples that would be recognized. */
function collector(signal: AbortSignal) {
  const events = createChannel<ListeningEvent>(
    () => {},
    () => {},
  );
  signal.addEventListener("abort", () => events.fail(signal.reason));
  const parts: Buffer[] = [];
  let flushes = 0;
  const listening: Listening = {
    push: (samples) => void parts.push(Buffer.from(samples)),
    flush: () => void flushes++,
    end: () => events.end(),
    seconds: 0,
    isFull: false,
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  };
  return { listening, flushes: () => flushes, samples: () => samplesOf(Buffer.concat(parts)) };
}

function samplesOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index) / 32_768);
}

const loudness = (samples: readonly number[]): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

async function oggOf(samples: Float32Array): Promise<Buffer> {
  const encoder = createEncoder({ format: "opus", sampleRate: 48_000, mp3Bitrate: 64, opusBitrate: "auto" });
  return Buffer.concat([await encoder.encode(samples), await encoder.finish()]);
}

describe("a live stream of Opus", () => {
  const decoders = createOpusDecoders();
  after(() => decoders.close());

  function open() {
    let inner: ReturnType<typeof collector> | undefined;
    const stream = listenToOpus(
      decoders,
      (signal) => {
        inner = collector(signal);
        return inner.listening;
      },
      AbortSignal.timeout(120_000),
    );
    assert.ok(inner);
    return { stream, inner };
  }

  async function hear(frames: Iterable<Uint8Array>): Promise<readonly number[]> {
    const { stream, inner } = open();
    for (const frame of frames) stream.push(frame);
    stream.end();
    for await (const _ of stream);
    return inner.samples();
  }

  const pieces = function* (bytes: Buffer, size: number): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };

  test("packets and pieces of Ogg give the same samples, of the length and the loudness of the sound", async () => {
    const sound = tone(48_000, SECONDS, 440);
    const ogg = await oggOf(sound);
    const packets = [...createOggReader().packets(ogg)];
    const expected = await hear(packets);
    for (const size of [7, 1000, ogg.length]) assert.deepEqual(await hear(pieces(ogg, size)), expected);
    assert.ok(Math.abs(expected.length / 16_000 - SECONDS) < 0.1, `${expected.length} samples`);
    const middle = [...sound.slice(9600, 48_000)];
    assert.ok(Math.abs(loudness(expected.slice(4000, 16_000)) / loudness(middle) - 1) < 0.1);
  });

  test("leaves nothing of a stream that has ended", { timeout: 60_000 }, async () => {
    let signal: WeakRef<AbortSignal> | undefined;
    const stopped = new AbortController();
    const hearNothing = async (): Promise<void> => {
      const listen = (given: AbortSignal): Listening => {
        signal = new WeakRef(given);
        return collector(given).listening;
      };
      const stream = listenToOpus(decoders, listen, stopped.signal);
      stream.end();
      for await (const _ of stream);
    };
    await hearNothing();
    assert.ok(signal);
    await untilCollected(signal);
    stopped.abort();
  });

  test("a flush comes after the packets before it", async () => {
    const packets = [...createOggReader().packets(await oggOf(tone(48_000, SECONDS, 440)))];
    const { stream, inner } = open();
    for (const packet of packets.slice(0, 10)) stream.push(packet);
    stream.flush();
    stream.end();
    for await (const _ of stream);
    assert.equal(inner.flushes(), 1);
    assert.ok(inner.samples().length >= 2800);
  });

  test("decodes on in a new process when the decoder's has ended", async () => {
    const packets = [...createOggReader().packets(await oggOf(tone(48_000, SECONDS, 440)))];
    const { stream, inner } = open();
    for (const [index, packet] of packets.entries()) {
      const pid = decoders.pid();
      if (index === 20 && pid !== undefined) process.kill(pid, "SIGKILL");
      stream.push(packet);
    }
    stream.end();
    for await (const _ of stream);
    assert.ok(Math.abs(inner.samples().length / 16_000 - SECONDS) < 0.2);
  });

  test("damaged packets give no samples or some, and end nothing", async () => {
    const packets = [...createOggReader().packets(await oggOf(tone(48_000, 0.4, 440)))];
    const damaged = packets.flatMap((packet, index) => [
      Uint8Array.from(packet, (byte, at) => (at % 7 === index % 7 ? byte ^ 0x55 : byte)),
      packet.subarray(0, index),
      Uint8Array.from({ length: index }, (_, at) => (at * 89 + index) % 256),
    ]);
    const samples = await hear([...damaged, ...packets]);
    assert.ok(samples.length >= 0.3 * 16_000);
  });

  test("refuses packets that are too large, Ogg without Opus, and frames of very many packets", async () => {
    const page = (payload: Buffer, segments: readonly number[]): Buffer => {
      const header = Buffer.alloc(27);
      header.write("OggS");
      header[26] = segments.length;
      return Buffer.concat([header, Buffer.from(segments), payload]);
    };
    const head = page(Buffer.from("OpusHead"), [8]);
    const tiny = page(Buffer.alloc(255, 0xf8), new Array<number>(255).fill(1));
    const large = page(Buffer.alloc(255 * 255), new Array<number>(255).fill(255));
    const refused: Readonly<Record<string, readonly Uint8Array[]>> = {
      "a packet": [Buffer.alloc(61_441, 1)],
      "a packet in Ogg": [head, large],
      Vorbis: [page(Buffer.from("\u0001vorbis"), [7])],
      "many packets": [Buffer.concat([head, ...new Array<Buffer>(120).fill(tiny)])],
    };
    for (const [name, frames] of Object.entries(refused)) await assert.rejects(hear(frames), AudioError, name);
  });
});
