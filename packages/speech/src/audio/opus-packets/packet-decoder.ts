import { FF_DECODER_OPUS } from "node-av/constants";
import { Codec, CodecContext, FFmpegError, Frame, Packet } from "node-av/lib";
import { createMonoResampler } from "../decode/mono-resampler.ts";

const OPUS_RATE = 48_000;
const OUTPUT_RATE = 16_000;

/** Decodes the packets of one stream, in order. */
export interface PacketDecoder {
  /** Samples of 16 bits. A packet that is damaged gives none. */
  decode(packets: readonly Uint8Array[]): Buffer;
  close(): void;
}

export function createPacketDecoder(): PacketDecoder {
  const codec = Codec.findDecoderByName(FF_DECODER_OPUS);
  if (!codec) throw new Error("the decoder of Opus is missing");
  const context = new CodecContext();
  context.allocContext3(codec);
  context.sampleRate = OPUS_RATE;
  // Packets with two channels are decoded to one.
  context.channels = 1;
  context.threadCount = 1;
  FFmpegError.throwIfError(context.open2Sync(codec), "open the decoder of Opus");
  const resampler = createMonoResampler(OUTPUT_RATE);
  const packet = new Packet();
  const frame = new Frame();
  packet.alloc();
  frame.alloc();
  return {
    decode(packets) {
      const parts: Buffer[] = [];
      for (const data of packets) {
        packet.data = Buffer.from(data);
        const sent = context.sendPacketSync(packet);
        packet.unref();
        if (sent < 0) continue;
        while (context.receiveFrameSync(frame) >= 0) {
          parts.push(Buffer.from(resampler.push(frame)));
          frame.unref();
        }
      }
      return Buffer.concat(parts);
    },
    close() {
      resampler.close();
      packet.free();
      frame.free();
      context.freeContext();
    },
  };
}
