import { endianness } from "node:os";
import type { EncoderCore } from "./encoder.ts";
import { toInt16 } from "./int16.ts";

/** Signed 16-bit little-endian samples and nothing else. */
export function pcmEncoder(): EncoderCore {
  return waveform("audio/pcm", littleEndian);
}

/** The same with a WAV header. */
export function wavEncoder(sampleRate: number): EncoderCore {
  return waveform("audio/wav", littleEndian, streamedWavHeader(sampleRate));
}

/** One code for each sample, without frames. */
export function waveform(
  contentType: string,
  toBytes: (samples: Int16Array) => Uint8Array,
  header?: Uint8Array,
): EncoderCore {
  let pendingHeader = header;
  let encodedSamples = 0;
  function putHeader(bytes: Uint8Array[]): void {
    if (pendingHeader !== undefined) bytes.push(pendingHeader);
    pendingHeader = undefined;
  }
  return {
    contentType,
    delaySamples: 0,
    get encodedSamples() {
      return encodedSamples;
    },
    write(samples, bytes) {
      putHeader(bytes);
      bytes.push(toBytes(toInt16(samples)));
      encodedSamples += samples.length;
    },
    end: putHeader,
    close() {},
  };
}

function littleEndian({ buffer, byteOffset, byteLength }: Int16Array): Uint8Array {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return endianness() === "LE" ? bytes : bytes.swap16();
}

/** In a streamed WAV all ones in both size fields mean that the length is unknown. */
const UNKNOWN_SIZE = 0xffffffff;

function streamedWavHeader(sampleRate: number): Uint8Array {
  const header = new Uint8Array(44);
  const view = new DataView(header.buffer);
  const tag = (at: number, name: string) => header.set(Buffer.from(name, "latin1"), at);
  tag(0, "RIFF");
  view.setUint32(4, UNKNOWN_SIZE, true);
  tag(8, "WAVEfmt ");
  view.setUint32(16, 16, true); // bytes in the format block
  view.setUint16(20, 1, true); // plain PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true); // bytes per second
  view.setUint16(32, 2, true); // bytes per sample of all channels
  view.setUint16(34, 16, true); // bits per sample
  tag(36, "data");
  view.setUint32(40, UNKNOWN_SIZE, true);
  return header;
}
