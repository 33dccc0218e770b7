import { openCodec } from "./codec.ts";
import type { EncoderCore } from "./encoder.ts";

export interface FrameFormat {
  readonly codec: Parameters<typeof openCodec>[0];
  readonly contentType: string;
  /** Samples by which the decoded audio is late. */
  readonly delaySamples: number;
  /** The header of a frame, for formats whose encoder does not write one. */
  readonly header?: (dataBytes: number) => Uint8Array;
}

/** An encoder of frames of one length, which need nothing before the first and after the last. */
export function frameEncoder({ codec: options, contentType, delaySamples, header }: FrameFormat): EncoderCore {
  const codec = openCodec(options);
  let received = 0;
  let packets = 0;
  const append = (bytes: Uint8Array[]) => (data: Uint8Array) => {
    packets++;
    if (header !== undefined) bytes.push(header(data.length));
    bytes.push(data);
  };
  return {
    contentType,
    delaySamples,
    get encodedSamples() {
      return Math.min(received, Math.max(0, packets * codec.frameSize - delaySamples));
    },
    write(samples, bytes) {
      received += samples.length;
      codec.write(samples, append(bytes));
    },
    end(bytes) {
      // An empty file has one frame, too, so that it can be opened.
      const missing = received === 0 ? codec.frameSize : (codec.frameSize - codec.waiting) % codec.frameSize;
      codec.write(new Float32Array(missing), append(bytes));
      codec.drain(append(bytes));
    },
    close: codec.close,
  };
}
