import { AVDISCARD_ALL, AVERROR_EAGAIN, AVMEDIA_TYPE_AUDIO } from "node-av/constants";
import { Codec, CodecContext, Dictionary, FormatContext, Frame, type IOContext, Packet } from "node-av/lib";
import { AudioError } from "../../errors.ts";
import { DECODERS, DEMUXERS } from "./allowed-formats.ts";

/** The audio track of a file, opened. */
export interface AudioInput {
  /** As FFmpeg names them: "mov,mp4,m4a,3gp,3g2,mj2" and "aac". */
  readonly container: string;
  readonly codec: string;
  /** From the header; a frame may differ. */
  readonly sampleRate: number;
  readonly channels: number;
  /** All frames that can be decoded, in order. Each is valid until the next is requested. */
  frames(): Generator<Frame, void, undefined>;
  close(): void;
}

/** After this many errors in a row, decoding stops. */
const MAX_BAD_PACKETS_IN_A_ROW = 10_000;
const MAX_STREAMS = 100;
/** Of all channels in one frame. Valid files have at most about 500 000. */
const MAX_SAMPLES_PER_FRAME = 4 * 1024 * 1024;

/**
 * Finds the audio in the bytes of `io`, independent of a file name. Opens nothing else: no protocol is allowed, and no format
 * that would need one. Takes ownership of `io` and frees it.
 */
export function openAudio(io: IOContext): AudioInput {
  const format = new FormatContext();
  const decoder = new CodecContext();
  let open = true;

  function close(): void {
    if (!open) return;
    open = false;
    decoder.freeContext();
    // Freed below: FFmpeg must not close what it did not open.
    format.pb = null;
    format.closeInputSync();
    io.freeContext();
  }

  try {
    openFormat(format, io);
    const stream = audioStreamOf(format);
    const codec = openDecoder(decoder, stream);
    return {
      container: format.iformat?.name ?? "unknown",
      codec,
      sampleRate: stream.codecpar.sampleRate,
      channels: stream.codecpar.channels,
      frames: () => decodeFrames(format, decoder, stream.index),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function openFormat(format: FormatContext, io: IOContext): void {
  const options = Dictionary.fromObject({
    // A name that no protocol has: an empty list would mean that there is no whitelist.
    protocol_whitelist: "none",
    format_whitelist: DEMUXERS.join(","),
    codec_whitelist: DECODERS.join(","),
    max_streams: MAX_STREAMS,
  });
  try {
    format.allocContext();
    format.pb = io;
    if (format.openInputSync("", null, options) < 0) throw unknownFormat();
  } finally {
    options.free();
  }
  // A failure is ignored: the decoder may find out what is missing.
  format.findStreamInfoSync();
}

function audioStreamOf(format: FormatContext) {
  const { streams } = format;
  const best = streams[format.findBestStream(AVMEDIA_TYPE_AUDIO)];
  if (best === undefined) {
    if (streams.length === 0) throw unknownFormat();
    // A track without a rate or channels is not an audio track for FFmpeg.
    const damaged = streams.some(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
    throw damaged
      ? new AudioError("undecodable", "the file's audio track is damaged")
      : new AudioError("no_audio", "the file has no audio track");
  }
  for (const stream of streams) if (stream.index !== best.index) stream.discard = AVDISCARD_ALL;
  return best;
}

function openDecoder(decoder: CodecContext, stream: ReturnType<typeof audioStreamOf>): string {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (codec?.name == null || !DECODERS.includes(codec.name)) {
    throw new AudioError("undecodable", `the file's audio (${codec?.name ?? "of an unknown kind"}) cannot be decoded`);
  }
  decoder.allocContext3(codec);
  const configured = decoder.parametersToContext(stream.codecpar);
  decoder.pktTimebase = stream.timeBase;
  decoder.threadCount = 1;
  decoder.setOption("max_samples", MAX_SAMPLES_PER_FRAME);
  if (configured < 0 || decoder.open2Sync(codec) < 0) {
    throw new AudioError("undecodable", `the file's ${codec.name} audio is damaged`);
  }
  return codec.name;
}

function* decodeFrames(format: FormatContext, decoder: CodecContext, stream: number): Generator<Frame, void> {
  const frame = new Frame();
  const packet = new Packet();
  let badInARow = 0;
  try {
    frame.alloc();
    packet.alloc();
    for (let ended = false; !ended && badInARow < MAX_BAD_PACKETS_IN_A_ROW; ) {
      const read = format.readFrameSync(packet);
      if (read === AVERROR_EAGAIN) {
        badInARow++;
        continue;
      }
      // Truncated or damaged files end in an error: the frames before it are used.
      ended = read < 0;
      if (!ended && packet.streamIndex !== stream) {
        packet.unref();
        continue;
      }
      const sent = decoder.sendPacketSync(ended ? null : packet);
      packet.unref();
      badInARow++;
      // An invalid packet is skipped; the next one may be valid again.
      if (sent < 0 && !ended) continue;
      while (decoder.receiveFrameSync(frame) >= 0) {
        badInARow = 0;
        yield frame;
        frame.unref();
      }
    }
  } finally {
    packet.free();
    frame.free();
  }
}

function unknownFormat(): AudioError {
  return new AudioError("undecodable", "the file is not audio in a format that can be read");
}
