import { AV_SAMPLE_FMT_FLT, FF_ENCODER_LIBOPUS } from "node-av/constants";
import { openCodec } from "./codec.ts";
import type { EncoderCore } from "./encoder.ts";
import { createOggStream, randomSerial } from "./ogg.ts";

export const OPUS_SAMPLE_RATE = 48000;
/** bit/s */
export const OPUS_BITRATES = [24000, 32000, 48000, 64000, 96000, 128000, 192000] as const;

/** Close to the choice of libopus for a full-band mono signal; speech gains nothing above it. */
const AUTO_BITRATE = 48000;

/**
 * Packets (of 20 ms) in the first page and in the others. The first page is sent at once; 100 ms a page keep the overhead of
 * the container small and the delay below the buffer of a player.
 */
const FIRST_PAGE_PACKETS = 1;
const PAGE_PACKETS = 5;

/** Opus in Ogg (RFC 7845). The decoded length is exactly the input's. */
export function opusEncoder(bitrate: number | "auto", serial = randomSerial()): EncoderCore {
  const codec = openCodec({
    name: FF_ENCODER_LIBOPUS,
    sampleRate: OPUS_SAMPLE_RATE,
    sampleFormat: AV_SAMPLE_FMT_FLT,
    bitRate: bitrate === "auto" ? AUTO_BITRATE : bitrate,
    // Unconstrained, the rate would exceed the requested one by up to 60 %. Above level 5 the encoder takes three to four times
    // as long, with little effect on speech.
    options: { application: "audio", frame_duration: 20, vbr: "constrained", compression_level: 5 },
  });
  const ogg = createOggStream(serial);
  const delaySamples = preSkipOf(codec.extraData);
  let received = 0;
  let packets: Uint8Array[] = [];
  /** Encoded samples, including the delay: in all packets, and in those that were written. */
  let packed = 0;
  let written = 0;
  let headersWritten = false;

  function putHeaders(bytes: Uint8Array[]): void {
    if (headersWritten) return;
    headersWritten = true;
    bytes.push(ogg.page([codec.extraData], 0), ogg.page([opusTags()], 0));
  }

  function putPage(bytes: Uint8Array[], position: number, last: boolean): void {
    bytes.push(ogg.page(packets, position, last));
    packets = [];
    written = position;
  }

  const append = (bytes: Uint8Array[]) => (data: Uint8Array) => {
    packets.push(data);
    packed += codec.frameSize;
    if (packets.length >= (written === 0 ? FIRST_PAGE_PACKETS : PAGE_PACKETS)) putPage(bytes, packed, false);
  };

  return {
    contentType: "audio/ogg; codecs=opus",
    delaySamples,
    get encodedSamples() {
      return Math.max(0, written - delaySamples);
    },
    write(samples, bytes) {
      putHeaders(bytes);
      received += samples.length;
      codec.write(samples, append(bytes));
    },
    end(bytes) {
      putHeaders(bytes);
      // Because of the delay the last samples need additional silence to be encoded; the position of the last page tells the
      // player where the input ended. At least one packet is made here, so there is a last page.
      const total = delaySamples + received;
      const frames = Math.ceil(total / codec.frameSize);
      const final: Uint8Array[] = [];
      codec.write(new Float32Array(frames * codec.frameSize - received), (data) => final.push(data));
      for (const data of final.slice(0, -1)) append(bytes)(data);
      packets.push(...final.slice(-1));
      putPage(bytes, total, true);
    },
    close: codec.close,
  };
}

/** The encoder's delay from its header, at 48 kHz. */
function preSkipOf(header: Uint8Array): number {
  return new DataView(header.buffer, header.byteOffset).getUint16(10, true);
}

function opusTags(): Uint8Array {
  const vendor = Buffer.from("parlance", "utf8");
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4);
  tags.write("OpusTags", 0, "latin1");
  tags.writeUInt32LE(vendor.length, 8);
  vendor.copy(tags, 12);
  return tags; // ends with a comment count of zero
}
