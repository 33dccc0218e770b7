import { AudioError } from "../../errors.ts";

/** A packet of Opus is at most 120 ms, and at most this long. */
export const MAX_PACKET_BYTES = 61_440;
const CAPTURE = Buffer.from("OggS");
const HEADER_BYTES = 27;
const MAX_PAGE_BYTES = HEADER_BYTES + 255 + 255 * 255;
const CONTINUED = 0x01;

export function startsOgg(bytes: Uint8Array): boolean {
  return CAPTURE.every((byte, index) => bytes[index] === byte);
}

/**
 * Takes the Opus packets out of an Ogg stream (RFC 7845) that comes in pieces of any size. What is not a page is skipped, as
 * after a lost piece.
 */
export function createOggReader(): { packets(bytes: Uint8Array): Generator<Uint8Array> } {
  let rest: Buffer = Buffer.alloc(0);
  /** Parts of a packet that goes on in the next page. */
  let open: Buffer[] = [];
  let openBytes = 0;
  let isOpus = false;

  function addPart(part: Buffer): void {
    openBytes += part.length;
    if (openBytes > MAX_PACKET_BYTES) throw new AudioError("undecodable", "a packet of the Ogg stream is too large");
    open.push(part);
  }
  function closePacket(): Buffer {
    const packet = Buffer.concat(open);
    [open, openBytes] = [[], 0];
    return packet;
  }

  function* packetsOf(page: Buffer, tableLength: number): Generator<Uint8Array> {
    const isContinued = ((page[5] ?? 0) & CONTINUED) !== 0;
    // The start of a packet was lost, or its end.
    let isLost = isContinued && open.length === 0;
    if (!isContinued) closePacket();
    let at = HEADER_BYTES + tableLength;
    for (let index = 0; index < tableLength; index++) {
      const length = page[HEADER_BYTES + index] ?? 0;
      if (!isLost) addPart(page.subarray(at, at + length));
      at += length;
      if (length === 255) continue;
      if (!isLost) {
        const packet = closePacket();
        if (isAudio(packet)) yield packet;
      }
      isLost = false;
    }
  }

  /** Headers are no audio; a stream without them is not Opus. */
  function isAudio(packet: Buffer): boolean {
    const magic = packet.toString("latin1", 0, 8);
    if (magic === "OpusHead") isOpus = true;
    if (!isOpus) throw new AudioError("undecodable", "the Ogg stream is not Opus");
    return packet.length > 0 && magic !== "OpusHead" && magic !== "OpusTags";
  }

  return {
    *packets(bytes) {
      rest = Buffer.concat([rest, bytes]);
      for (;;) {
        const start = rest.indexOf(CAPTURE);
        if (start < 0) {
          rest = Buffer.from(rest.subarray(Math.max(0, rest.length - CAPTURE.length + 1)));
          return;
        }
        if (start > 0) rest = rest.subarray(start);
        const tableLength = rest[HEADER_BYTES - 1];
        if (tableLength === undefined || rest.length < HEADER_BYTES + tableLength) break;
        const body = rest.subarray(HEADER_BYTES, HEADER_BYTES + tableLength).reduce((sum, length) => sum + length, 0);
        const size = HEADER_BYTES + tableLength + body;
        if (rest.length < size) break;
        const page = rest.subarray(0, size);
        rest = rest.subarray(size);
        yield* packetsOf(page, tableLength);
      }
      // A copy, so that the frame is not kept in memory for its last bytes.
      rest = Buffer.from(rest.subarray(0, MAX_PAGE_BYTES));
    },
  };
}
