import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_LOG_ERROR,
  AV_SAMPLE_FMT_S16,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  type AVSampleFormat,
  type FFAudioEncoder,
} from "node-av/constants";
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, Rational } from "node-av/lib";
import { toInt16 } from "./int16.ts";

// FFmpeg would write to standard error whenever a stream ends early.
Log.setLevel(AV_LOG_ERROR);

export interface CodecSettings {
  readonly name: FFAudioEncoder;
  readonly sampleRate: number;
  /** Floats, or 16-bit integers. */
  readonly sampleFormat: AVSampleFormat;
  /** bit/s */
  readonly bitRate: number;
  readonly options: Readonly<Record<string, string | number>>;
}

/** One of FFmpeg's audio encoders, for mono float samples. */
export interface FrameCodec {
  readonly frameSize: number;
  /** The codec's data for the header of the file. */
  readonly extraData: Uint8Array;
  /** Collects samples into whole frames; calls `onPacket` for each packet that is ready. */
  write(samples: Float32Array, onPacket: OnPacket): void;
  /** Samples in the incomplete frame. */
  readonly waiting: number;
  /** Encodes the incomplete frame as a shorter one. For codecs whose last frame may be shorter. */
  writeRest(onPacket: OnPacket): void;
  /** Gets the packets that the codec still holds. */
  drain(onPacket: OnPacket): void;
  close(): void;
}

/** The receiver owns the data. */
export type OnPacket = (data: Uint8Array) => void;

/*
 * The codec runs on the calling thread: a 20 ms frame costs about 0.1 ms, and handing each to another thread
 * and back costs as much again and delays it. Opening takes one or two milliseconds.
 */
export function openCodec(settings: CodecSettings): FrameCodec {
  const context = new CodecContext();
  const frame = new Frame();
  const packet = new Packet();
  let open = true;

  function close(): void {
    if (!open) return;
    open = false;
    packet.free();
    frame.free();
    context.freeContext();
  }

  try {
    openContext(context, settings);
    prepareFrame(frame, context);
    packet.alloc();
  } catch (error) {
    close();
    throw error;
  }

  const frameSize = context.frameSize;
  const input = settings.sampleFormat === AV_SAMPLE_FMT_S16 ? new Int16Array(frameSize) : new Float32Array(frameSize);
  const inputBytes = Buffer.from(input.buffer);
  let filled = 0;

  function receive(onPacket: OnPacket): void {
    for (;;) {
      const result = context.receivePacketSync(packet);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      FFmpegError.throwIfError(result, "encode");
      const { data } = packet;
      if (data !== null) onPacket(Uint8Array.from(data));
      packet.unref();
    }
  }

  function sendFrame(onPacket: OnPacket): void {
    const bytes = filled * input.BYTES_PER_ELEMENT;
    // The codec may still be reading the last frame's memory.
    FFmpegError.throwIfError(frame.makeWritable(), "reuse frame");
    frame.nbSamples = filled;
    FFmpegError.throwIfError(frame.fromBuffer(inputBytes.subarray(0, bytes)), "fill frame");
    filled = 0;
    FFmpegError.throwIfError(context.sendFrameSync(frame), "encode");
    receive(onPacket);
  }

  return {
    frameSize,
    extraData: Uint8Array.from(context.extraData ?? []),
    get waiting() {
      return filled;
    },
    write(samples, onPacket) {
      for (let from = 0; from < samples.length; ) {
        const piece = samples.subarray(from, from + frameSize - filled);
        if (input instanceof Int16Array) toInt16(piece, input.subarray(filled));
        else input.set(piece, filled);
        filled += piece.length;
        from += piece.length;
        if (filled === frameSize) sendFrame(onPacket);
      }
    },
    writeRest(onPacket) {
      if (filled > 0) sendFrame(onPacket);
    },
    drain(onPacket) {
      FFmpegError.throwIfError(context.sendFrameSync(null), "end encoding");
      receive(onPacket);
    },
    close,
  };
}

function openContext(context: CodecContext, settings: CodecSettings): void {
  const codec = Codec.findEncoderByName(settings.name);
  if (codec === null) throw new Error(`this build of FFmpeg has no ${settings.name}`);
  context.allocContext3(codec);
  context.sampleRate = settings.sampleRate;
  context.sampleFormat = settings.sampleFormat;
  context.channelLayout = AV_CHANNEL_LAYOUT_MONO;
  context.timeBase = new Rational(1, settings.sampleRate);
  context.bitRate = BigInt(settings.bitRate);
  for (const [name, value] of Object.entries(settings.options)) {
    FFmpegError.throwIfError(context.setOption(name, value), `set ${settings.name} option ${name}`);
  }
  FFmpegError.throwIfError(context.open2Sync(codec), `open ${settings.name}`);
}

function prepareFrame(frame: Frame, context: CodecContext): void {
  frame.alloc();
  frame.format = context.sampleFormat;
  frame.sampleRate = context.sampleRate;
  frame.channelLayout = AV_CHANNEL_LAYOUT_MONO;
  frame.nbSamples = context.frameSize;
  FFmpegError.throwIfError(frame.getBuffer(0), "allocate frame");
}
