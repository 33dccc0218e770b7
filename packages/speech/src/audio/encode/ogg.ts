import { randomInt } from "node:crypto";

/** Writes the pages of one logical Ogg stream (RFC 3533). */
export interface OggStream {
  /**
   * A page of whole packets, at most 255 × 255 bytes in all.
   * @param position where the audio of the page's last packet ends, in samples
   */
  page(packets: readonly Uint8Array[], position: number, last?: boolean): Uint8Array;
}

const HEADER_BYTES = 27;
const MAX_SEGMENTS = 255;
const FIRST_PAGE = 0x02;
const LAST_PAGE = 0x04;

/** Players distinguish concatenated streams by it, so it should be unique. */
export function randomSerial(): number {
  return randomInt(2 ** 32);
}

export function createOggStream(serial: number): OggStream {
  let sequence = 0;
  return {
    page(packets, position, last = false) {
      const lacing = packets.flatMap((packet) => lacingOf(packet.length));
      if (lacing.length > MAX_SEGMENTS) throw new RangeError("the packets do not fit into one Ogg page");
      const bodyBytes = packets.reduce((sum, packet) => sum + packet.length, 0);
      const page = new Uint8Array(HEADER_BYTES + lacing.length + bodyBytes);
      const view = new DataView(page.buffer);
      page.set(Buffer.from("OggS", "latin1"), 0);
      page[5] = (sequence === 0 ? FIRST_PAGE : 0) | (last ? LAST_PAGE : 0);
      view.setBigInt64(6, BigInt(position), true);
      view.setUint32(14, serial, true);
      view.setUint32(18, sequence++, true);
      page[26] = lacing.length;
      page.set(lacing, HEADER_BYTES);
      let at = HEADER_BYTES + lacing.length;
      for (const packet of packets) {
        page.set(packet, at);
        at += packet.length;
      }
      // Computed with the field itself at zero.
      view.setUint32(22, checksum(page), true);
      return page;
    },
  };
}

/** The lacing values of a packet: as many 255 as fit, then the rest. */
function lacingOf(length: number): number[] {
  return [...new Array<number>(Math.floor(length / 255)).fill(255), length % 255];
}

/** CRC-32 as Ogg defines it: the usual polynomial, from the top bit, starting at zero. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

function checksum(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = (crc << 8) ^ (CRC_TABLE[(crc >>> 24) ^ byte] ?? 0);
  return crc >>> 0;
}
