import { IOStream } from "node-av/api";
import { AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16, AVERROR_EOF } from "node-av/constants";
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Packet } from "node-av/lib";
import { concatSamples } from "./signals.ts";

export interface DecodedAudio {
  readonly sampleRate: number;
  readonly channels: number;
  readonly samples: Float32Array;
}

/** Reads a whole mono audio file as any player built on FFmpeg would. */
export function decodeAudio(file: Uint8Array): DecodedAudio {
  const io = IOStream.create(Buffer.from(file));
  const format = new FormatContext();
  const context = new CodecContext();
  const frame = new Frame();
  const packet = new Packet();
  try {
    format.allocContext();
    format.pb = io;
    FFmpegError.throwIfError(format.openInputSync(""), "open");
    FFmpegError.throwIfError(format.findStreamInfoSync(), "probe");
    const parameters = format.streams[0]?.codecpar;
    const codec = parameters && Codec.findDecoder(parameters.codecId);
    if (!parameters || !codec) throw new Error("the file has no audio that can be decoded");
    context.allocContext3(codec);
    FFmpegError.throwIfError(context.parametersToContext(parameters), "configure");
    FFmpegError.throwIfError(context.open2Sync(codec), "open decoder");
    frame.alloc();
    packet.alloc();
    const pieces: Float32Array[] = [];
    for (let ended = false; !ended; ) {
      const read = format.readFrameSync(packet);
      ended = read === AVERROR_EOF;
      if (!ended) FFmpegError.throwIfError(read, "read");
      FFmpegError.throwIfError(context.sendPacketSync(ended ? null : packet), "decode");
      packet.unref();
      while (context.receiveFrameSync(frame) >= 0) {
        pieces.push(floatsOf(frame));
        frame.unref();
      }
    }
    return { sampleRate: parameters.sampleRate, channels: parameters.channels, samples: concatSamples(pieces) };
  } finally {
    packet.free();
    frame.free();
    context.freeContext();
    format.pb = null;
    format.closeInputSync();
    io.freeContext();
  }
}

function floatsOf(frame: Frame): Float32Array {
  const bytes = Uint8Array.from(frame.toBuffer()).buffer;
  if (frame.format === AV_SAMPLE_FMT_FLT || frame.format === AV_SAMPLE_FMT_FLTP) {
    return new Float32Array(bytes, 0, frame.nbSamples);
  }
  if (frame.format !== AV_SAMPLE_FMT_S16) throw new Error(`unexpected sample format ${frame.format}`);
  return Float32Array.from(new Int16Array(bytes, 0, frame.nbSamples), (value) => value / 32768);
}
