import {
  AV_CODEC_ID_MJPEG,
  AV_CODEC_ID_PNG,
  AV_CODEC_ID_WEBP,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUVJ420P,
  SWS_BICUBIC,
} from "node-av/constants";
import {
  avGetPixFmtName,
  Codec,
  CodecContext,
  FFmpegError,
  Frame,
  Packet,
  Rational,
  SoftwareScaleContext,
} from "node-av/lib";
import type { CleanImage } from "./messages.ts";
import { type ImageKind, sniffImage } from "./sniff.ts";

/** A picture cannot be used. The message is meant for the client that sent it. */
export class ImageError extends Error {}

const MAX_SIDE = 1024;
const MAX_PIXELS = 40_000_000;
const CODECS = { png: AV_CODEC_ID_PNG, jpeg: AV_CODEC_ID_MJPEG, webp: AV_CODEC_ID_WEBP } as const;

/**
 * Decodes a picture and encodes it again, which removes all metadata and anything after its end. Large pictures are scaled
 * down. For a process of its own: the bytes are untrusted.
 */
export function reencodeImage(bytes: Uint8Array): CleanImage {
  const kind = sniffImage(bytes);
  if (kind === undefined) throw new ImageError("it must be a PNG, JPEG or WebP picture");
  const frame = decode(bytes, kind);
  try {
    if (frame.width * frame.height > MAX_PIXELS) throw new ImageError("it has too many pixels");
    const hasAlpha = /rgba|bgra|argb|abgr|yuva|ya8|ya16|pal8|gbrap/.test(avGetPixFmtName(frame.format as never) ?? "");
    const scale = Math.min(1, MAX_SIDE / Math.max(frame.width, frame.height));
    // JPEG has half the resolution for colour, so its sides must be even.
    const [width, height] = [frame.width, frame.height].map((side) => Math.max(2, 2 * Math.round((side * scale) / 2)));
    const small = scaled(frame, width ?? 2, height ?? 2, hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_YUVJ420P);
    try {
      return {
        type: hasAlpha ? "image/png" : "image/jpeg",
        bytes: encode(small, hasAlpha ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG),
        width: small.width,
        height: small.height,
      };
    } finally {
      small.free();
    }
  } finally {
    frame.free();
  }
}

function decode(bytes: Uint8Array, kind: ImageKind): Frame {
  const codec = Codec.findDecoder(CODECS[kind]);
  if (codec === null) throw new Error(`this build of FFmpeg cannot read ${kind}`);
  const context = new CodecContext();
  const packet = new Packet();
  const frame = new Frame();
  try {
    context.allocContext3(codec);
    FFmpegError.throwIfError(context.setOption("max_pixels", MAX_PIXELS), "limit the size");
    FFmpegError.throwIfError(context.open2Sync(codec), "open");
    packet.alloc();
    packet.data = Buffer.from(bytes);
    frame.alloc();
    const sent = context.sendPacketSync(packet);
    if (sent < 0) throw new ImageError("it cannot be decoded");
    context.sendPacketSync(null);
    if (context.receiveFrameSync(frame) < 0 || frame.width < 1 || frame.height < 1) {
      throw new ImageError("it cannot be decoded");
    }
    return frame;
  } catch (error) {
    frame.free();
    throw error;
  } finally {
    packet.free();
    context.freeContext();
  }
}

function scaled(
  source: Frame,
  width: number,
  height: number,
  format: typeof AV_PIX_FMT_RGBA | typeof AV_PIX_FMT_YUVJ420P,
): Frame {
  const target = new Frame();
  const scaler = new SoftwareScaleContext();
  try {
    target.alloc();
    target.width = width;
    target.height = height;
    target.format = format;
    FFmpegError.throwIfError(target.getBuffer(0), "allocate");
    scaler.getContext(source.width, source.height, source.format as typeof format, width, height, format, SWS_BICUBIC);
    FFmpegError.throwIfError(scaler.initContext(), "set up scaling");
    FFmpegError.throwIfError(scaler.scaleFrameSync(target, source), "scale");
    return target;
  } catch (error) {
    target.free();
    throw error;
  } finally {
    scaler.freeContext();
  }
}

function encode(frame: Frame, id: typeof AV_CODEC_ID_PNG | typeof AV_CODEC_ID_MJPEG): Uint8Array {
  const codec = Codec.findEncoder(id);
  if (codec === null) throw new Error("this build of FFmpeg cannot write pictures");
  const context = new CodecContext();
  const packet = new Packet();
  try {
    context.allocContext3(codec);
    context.width = frame.width;
    context.height = frame.height;
    context.pixelFormat = frame.format as typeof context.pixelFormat;
    context.timeBase = new Rational(1, 25);
    // Of JPEG: 2 is the best, 31 the smallest.
    context.qMin = 3;
    context.qMax = 3;
    FFmpegError.throwIfError(context.open2Sync(codec), "open");
    packet.alloc();
    FFmpegError.throwIfError(context.sendFrameSync(frame), "encode");
    FFmpegError.throwIfError(context.sendFrameSync(null), "encode");
    FFmpegError.throwIfError(context.receivePacketSync(packet), "encode");
    return Uint8Array.from(packet.data ?? []);
  } finally {
    packet.free();
    context.freeContext();
  }
}
