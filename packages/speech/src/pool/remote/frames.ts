/**
 * The frames between api nodes and worker machines. Every frame starts with the version of the protocol. Neighbouring versions
 * understand each other: a change that they would not is made in two releases.
 */
export const WIRE_VERSION = 3;

/** From this version on, a machine that drains takes further chunks of streams. */
export const CONTINUES_STREAMS = 2;
/** From this version on, a machine makes cloned voices for Kokoro and speaks with them. */
export const KOKORO_CLONES = 3;

/** Whether this version understands the other one. */
export function understands(version: number, own = WIRE_VERSION): boolean {
  return Math.abs(version - own) <= 1;
}

const FRAME_TYPES = ["start", "input", "credit", "cancel", "busy", "part", "end", "error", "want"] as const;

/**
 * From an api node: `start` a job, `input` bytes for it, `credit` for one more part, `cancel`. From a machine: `busy`, a
 * `part`, the `end`, an `error`, or `want`, the number of further inputs that it can take.
 */
export type FrameType = (typeof FRAME_TYPES)[number];

export interface Frame {
  readonly type: FrameType;
  /** The job, as the api node numbers its attempts. */
  readonly job: number;
  /** Counts the frames of a job in one direction. A gap means that frames were lost. */
  readonly sequence: number;
  /** Whether the next frame continues this body. */
  readonly more: boolean;
  readonly body: Uint8Array;
}

const HEADER_BYTES = 12;
const EMPTY = new Uint8Array(0);

export function encodeFrame({ type, job, sequence, more, body }: Frame): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, WIRE_VERSION);
  view.setUint8(1, FRAME_TYPES.indexOf(type));
  view.setUint8(2, more ? 1 : 0);
  view.setUint32(4, job);
  view.setUint32(8, sequence);
  bytes.set(body, HEADER_BYTES);
  return bytes;
}

/** Undefined for bytes that are no frame of a version that is understood. */
export function decodeFrame(bytes: Uint8Array): Frame | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = FRAME_TYPES[view.getUint8(1)];
  if (type === undefined || !understands(view.getUint8(0))) return undefined;
  return {
    type,
    job: view.getUint32(4),
    sequence: view.getUint32(8),
    more: view.getUint8(2) === 1,
    body: bytes.subarray(HEADER_BYTES),
  };
}

/** Sends the frames of one job in one direction. */
export interface FrameWriter {
  /** A body that is longer than a frame is sent in several. */
  write(type: FrameType, body?: Uint8Array): void;
}

/** A frame is far below the usual limit of a message, 1 MiB, so that a long body delays other jobs little. */
export const MAX_BODY_BYTES = 256 * 1024;

export function createFrameWriter(job: number, send: (bytes: Uint8Array) => void): FrameWriter {
  let sequence = 0;
  return {
    write(type, body = EMPTY) {
      let from = 0;
      do {
        const to = Math.min(body.length, from + MAX_BODY_BYTES);
        send(encodeFrame({ type, job, sequence: sequence++, more: to < body.length, body: body.subarray(from, to) }));
        from = to;
      } while (from < body.length);
    },
  };
}

/** Puts the frames of one job in one direction together. */
export interface FrameReader {
  /** The whole body once its last frame is there; "gap" when frames were lost or the body is too long. */
  read(frame: Frame): Uint8Array | "gap" | undefined;
  /** Gives back what an unfinished body holds. */
  close(): void;
}

/** The bytes of unfinished bodies that several readers may hold together. */
export interface ReadBudget {
  left: number;
}

export function createFrameReader(maxBytes: number, budget: ReadBudget = { left: maxBytes }): FrameReader {
  let expected = 0;
  let parts: Uint8Array[] = [];
  let size = 0;
  const close = (): void => {
    for (const part of parts) budget.left += part.length;
    parts = [];
    size = 0;
  };
  return {
    close,
    read({ sequence, more, body }) {
      if (sequence !== expected++) return "gap";
      size += body.length;
      if (size > maxBytes) return "gap";
      if (!more && parts.length === 0) {
        size = 0;
        return body;
      }
      if (body.length > budget.left) return "gap";
      budget.left -= body.length;
      // The transport may use the memory of the message again.
      parts.push(body.slice());
      if (more) return undefined;
      const whole = Buffer.concat(parts);
      close();
      return whole;
    },
  };
}
