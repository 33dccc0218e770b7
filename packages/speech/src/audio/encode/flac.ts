import { AV_SAMPLE_FMT_S16, FF_ENCODER_FLAC } from "node-av/constants";
import { openCodec } from "./codec.ts";
import type { EncoderCore } from "./encoder.ts";

const LAST_BLOCK = 0x80;
const STREAM_INFO_BYTES = 34;

/** FLAC of 16 bits: it decodes to the bytes of pcm. The header leaves the length open, as the format allows in a stream. */
export function flacEncoder(sampleRate: number): EncoderCore {
  const codec = openCodec({
    name: FF_ENCODER_FLAC,
    sampleRate,
    sampleFormat: AV_SAMPLE_FMT_S16,
    bitRate: 0,
    options: {},
  });
  let header: Uint8Array | undefined = fileHeader(codec.extraData);
  let received = 0;
  let framed = 0;
  function putHeader(bytes: Uint8Array[]): void {
    if (header !== undefined) bytes.push(header);
    header = undefined;
  }
  const append = (bytes: Uint8Array[]) => (data: Uint8Array) => {
    // A codec that ends may repeat its header as a packet without audio.
    if (data.length === 0) return;
    framed += codec.frameSize;
    bytes.push(data);
  };
  return {
    contentType: "audio/flac",
    delaySamples: 0,
    get encodedSamples() {
      return Math.min(received, framed);
    },
    write(samples, bytes) {
      putHeader(bytes);
      received += samples.length;
      codec.write(samples, append(bytes));
    },
    end(bytes) {
      putHeader(bytes);
      codec.writeRest(append(bytes));
      codec.drain(append(bytes));
    },
    close: codec.close,
  };
}

/** The marker and the one metadata block that every file has. */
function fileHeader(streamInfo: Uint8Array): Uint8Array {
  const marker = [...Buffer.from("fLaC", "latin1"), LAST_BLOCK, 0, 0, STREAM_INFO_BYTES];
  return Uint8Array.from([...marker, ...streamInfo.subarray(0, STREAM_INFO_BYTES)]);
}
