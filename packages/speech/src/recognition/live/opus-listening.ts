import { setTimeout as sleep } from "node:timers/promises";
import type { OpusDecoders } from "../../audio/opus-packets/decoder-pool.ts";
import { createOggReader, MAX_PACKET_BYTES, startsOgg } from "../../audio/opus-packets/ogg-packets.ts";
import { sampleRate } from "../../engines/silero/chunks.ts";
import { AudioError } from "../../errors.ts";
import { joinSignals } from "../../lib/join-signals.ts";
import type { Listening, ListeningEvent, LiveAudioFormat } from "../../listening.ts";

/** Packets that are decoded at a time: six seconds at most. */
const BATCH_PACKETS = 50;
/** With more frames waiting, the client should not be read. */
const FULL_FRAMES = 250;
const FULL_BYTES = 1024 * 1024;
/** A frame of tiny packets would be hours of audio: ten minutes of 20 ms, or an hour of the longest packets. */
const MAX_FRAME_PACKETS = 30_000;
const WAIT_MS = 20;

type Input = Uint8Array | "flush" | "end";

/** The format of the samples that are recognized: those of the client, or those that are decoded from its Opus. */
export function listeningFormat(format: LiveAudioFormat): LiveAudioFormat {
  return format.encoding === "opus" ? { encoding: "pcm_s16le", sampleRate } : format;
}

/**
 * A stream of Opus in front of one that listens to samples of 16 kHz. A frame is one packet, or any piece of an Ogg stream; the
 * first frame decides. Packets are decoded in order, in another process.
 */
export function listenToOpus(
  decoders: OpusDecoders,
  listen: (signal: AbortSignal) => Listening,
  stopped: AbortSignal,
): Listening {
  const failed = new AbortController();
  const { signal, release } = joinSignals(stopped, failed.signal);
  const decoding = decoders.open();
  signal.addEventListener("abort", decoding.close, { once: true });
  const listening = listen(signal);
  const waiting: Input[] = [];
  let waitingBytes = 0;
  let isWorking = false;
  let isEnded = false;
  let readPackets: ((frame: Uint8Array) => Iterable<Uint8Array>) | undefined;

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    try {
      for (let input = waiting.shift(); input !== undefined; input = waiting.shift()) {
        if (input === "flush") listening.flush();
        else if (input === "end") listening.end();
        else await decode(input);
      }
    } catch (error) {
      failed.abort(error);
    } finally {
      isWorking = false;
    }
  }

  async function decode(frame: Uint8Array): Promise<void> {
    readPackets ??= startsOgg(frame) ? createOggReader().packets : onePacket;
    let count = 0;
    let batch: Uint8Array[] = [];
    for (const packet of readPackets(frame)) {
      count++;
      if (count > MAX_FRAME_PACKETS)
        throw new AudioError("undecodable", `more than ${MAX_FRAME_PACKETS} packets in a frame`);
      batch.push(packet);
      if (batch.length < BATCH_PACKETS) continue;
      await pass(batch);
      batch = [];
    }
    if (batch.length > 0) await pass(batch);
    waitingBytes -= frame.length;
  }

  async function pass(packets: readonly Uint8Array[]): Promise<void> {
    const samples = await decoding.decode(packets);
    signal.throwIfAborted();
    if (samples.length > 0) listening.push(samples);
    while (listening.isFull) await sleep(WAIT_MS, undefined, { signal });
  }

  function add(input: Input): void {
    if (isEnded || signal.aborted) return;
    isEnded = input === "end";
    if (typeof input !== "string") waitingBytes += input.length;
    waiting.push(input);
    void work();
  }

  async function* events(): AsyncGenerator<ListeningEvent> {
    try {
      yield* listening;
    } finally {
      release();
      decoding.close();
    }
  }

  return {
    // A copy: the caller may use its buffer again before the frame is decoded.
    push: (frame) => add(Uint8Array.from(frame)),
    flush: () => add("flush"),
    end: () => add("end"),
    get seconds() {
      return listening.seconds;
    },
    get isFull() {
      return listening.isFull || waiting.length > FULL_FRAMES || waitingBytes > FULL_BYTES;
    },
    [Symbol.asyncIterator]: events,
  };
}

function* onePacket(frame: Uint8Array): Generator<Uint8Array> {
  if (frame.length > MAX_PACKET_BYTES) throw new AudioError("undecodable", "the Opus packet is too large");
  if (frame.length > 0) yield frame;
}
