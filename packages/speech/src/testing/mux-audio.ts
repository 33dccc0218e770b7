import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AV_SAMPLE_FMT_S32,
  type AVSampleFormat,
  FF_ENCODER_MPEG4,
  type FFAudioEncoder,
} from "node-av/constants";
import {
  avChannelLayoutDefault,
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  Packet,
  Rational,
  type Stream,
} from "node-av/lib";

type Settings = Readonly<Record<string, string | number>>;

export interface MuxedAudio {
  readonly sampleRate: number;
  /** Left out: a file without sound. */
  readonly channels?: readonly Float32Array[];
  /** FFmpeg's name for it. */
  readonly encoder?: string;
  readonly bitRate?: number;
  readonly encoderOptions?: Settings;
  readonly muxerOptions?: Settings;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Some frames of video beside it. */
  readonly video?: boolean;
}

const FLOAT_FRAME = 1024;

/** Writes a file as FFmpeg itself would: `muxer` is "mp3", "ipod", "adts", "webm" and so on. */
export function muxAudio(path: string, muxer: string, audio: MuxedAudio): void {
  const format = new FormatContext();
  const tracks: Track[] = [];
  try {
    check(format.allocOutputContext2(null, muxer, path), "allocate");
    if (audio.channels && audio.encoder)
      tracks.push(audioTrack(format, audio, audio.encoder as FFAudioEncoder, audio.channels));
    if (audio.video) tracks.push(videoTrack(format));
    if (audio.metadata) format.metadata = Dictionary.fromObject(audio.metadata);
    check(format.openOutputSync(), "create");
    check(format.writeHeaderSync(Dictionary.fromObject({ ...audio.muxerOptions })), "write header");
    for (const track of tracks) track.write();
    check(format.writeTrailerSync(), "write trailer");
  } finally {
    for (const track of tracks) track.close();
    format.closeOutputSync();
    format.freeContext();
  }
}

interface Track {
  write(): void;
  close(): void;
}

function audioTrack(
  format: FormatContext,
  audio: MuxedAudio,
  encoder: FFAudioEncoder,
  channels: readonly Float32Array[],
): Track {
  const length = channels[0]?.length ?? 0;
  const { context, stream } = openEncoder(format, encoder, (opening, codec) => {
    opening.sampleRate = audio.sampleRate;
    opening.sampleFormat = preferredFormat(codec);
    opening.channelLayout = avChannelLayoutDefault(channels.length);
    opening.timeBase = new Rational(1, audio.sampleRate);
    if (audio.bitRate !== undefined) opening.bitRate = BigInt(audio.bitRate);
    for (const [name, value] of Object.entries(audio.encoderOptions ?? {})) {
      check(opening.setOption(name, value), `set ${name}`);
    }
  });
  return {
    write() {
      const size = context.frameSize || FLOAT_FRAME;
      for (let at = 0; at < length; at += size) {
        const frame = new Frame();
        frame.alloc();
        frame.format = context.sampleFormat;
        frame.sampleRate = audio.sampleRate;
        frame.channelLayout = context.channelLayout;
        frame.nbSamples = Math.min(size, length - at);
        check(frame.getBuffer(0), "allocate frame");
        const piece = channels.map((channel) => channel.subarray(at, at + size));
        check(frame.fromBuffer(bytesOf(piece, context.sampleFormat)), "fill frame");
        frame.pts = BigInt(at);
        send(format, stream, context, frame);
        frame.free();
      }
      send(format, stream, context, null);
    },
    close: () => context.freeContext(),
  };
}

function videoTrack(format: FormatContext): Track {
  const { context, stream } = openEncoder(format, FF_ENCODER_MPEG4, (opening) => {
    opening.width = 64;
    opening.height = 64;
    opening.pixelFormat = AV_PIX_FMT_YUV420P;
    opening.timeBase = new Rational(1, 10);
    opening.framerate = new Rational(10, 1);
  });
  return {
    write() {
      for (let i = 0; i < 30; i++) {
        const frame = new Frame();
        frame.alloc();
        frame.format = AV_PIX_FMT_YUV420P;
        frame.width = 64;
        frame.height = 64;
        check(frame.getBuffer(0), "allocate frame");
        check(frame.fromBuffer(Buffer.alloc((64 * 64 * 3) / 2, 8 * i)), "fill frame");
        frame.pts = BigInt(i);
        send(format, stream, context, frame);
        frame.free();
      }
      send(format, stream, context, null);
    },
    close: () => context.freeContext(),
  };
}

function openEncoder(
  format: FormatContext,
  name: Parameters<typeof Codec.findEncoderByName>[0],
  configure: (context: CodecContext, codec: Codec) => void,
): { context: CodecContext; stream: Stream } {
  const codec = Codec.findEncoderByName(name);
  if (codec === null) throw new Error(`this build of FFmpeg has no ${name}`);
  const context = new CodecContext();
  context.allocContext3(codec);
  configure(context, codec);
  context.setOption("strict", "experimental");
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  check(context.open2Sync(codec), `open ${name}`);
  const stream = format.newStream(codec);
  stream.timeBase = context.timeBase;
  check(context.parametersFromContext(stream.codecpar), "describe stream");
  return { context, stream };
}

function send(format: FormatContext, stream: Stream, context: CodecContext, frame: Frame | null): void {
  const packet = new Packet();
  packet.alloc();
  check(context.sendFrameSync(frame), "encode");
  while (context.receivePacketSync(packet) >= 0) {
    packet.streamIndex = stream.index;
    packet.rescaleTs(context.timeBase, stream.timeBase);
    check(format.interleavedWriteFrameSync(packet), "write");
    packet.unref();
  }
  packet.free();
}

const FORMATS = [AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S32];

function preferredFormat(codec: Codec): AVSampleFormat {
  const found = FORMATS.find((format) => codec.sampleFormats?.includes(format));
  if (found === undefined) throw new Error(`${codec.name} takes no sample format that we can make`);
  return found;
}

function bytesOf(channels: readonly Float32Array[], format: AVSampleFormat): Buffer {
  const planar = format === AV_SAMPLE_FMT_FLTP || format === AV_SAMPLE_FMT_S16P;
  const length = channels[0]?.length ?? 0;
  const values = new Float32Array(length * channels.length);
  channels.forEach((channel, c) => {
    if (planar) values.set(channel, c * length);
    else {
      channel.forEach((value, i) => {
        values[i * channels.length + c] = value;
      });
    }
  });
  if (format === AV_SAMPLE_FMT_FLT || format === AV_SAMPLE_FMT_FLTP) return Buffer.from(values.buffer);
  const [whole, scale] =
    format === AV_SAMPLE_FMT_S32 ? [new Int32Array(values.length), 2 ** 31] : [new Int16Array(values.length), 2 ** 15];
  values.forEach((value, i) => {
    whole[i] = Math.max(-scale, Math.min(scale - 1, Math.round(value * scale)));
  });
  return Buffer.from(whole.buffer);
}

function check(result: number, action: string): void {
  FFmpegError.throwIfError(result, action);
}
