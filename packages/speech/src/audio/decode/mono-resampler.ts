import { AV_CHANNEL_LAYOUT_MONO, AV_CHANNEL_ORDER_NATIVE, AV_SAMPLE_FMT_S16 } from "node-av/constants";
import { avChannelLayoutDefault, FFmpegError, Frame, SoftwareResampleContext } from "node-av/lib";
import { AudioError } from "../../transcript.ts";

/** Turns decoded frames of any rate, channels and sample format into mono 16-bit samples of one rate. */
export interface MonoResampler {
  /** Exact length of the input so far. */
  readonly seconds: number;
  /** The bytes that are ready; good until the next call. */
  push(frame: Frame): Buffer;
  /** The rest. All output together has round(seconds × rate) samples. */
  end(): Buffer;
  close(): void;
}

/** Below, a frame would become very many samples; above, nothing is recorded. */
const MIN_SOURCE_RATE = 2000;
const MAX_SOURCE_RATE = 768_000;
const BYTES_PER_SAMPLE = 2;
const NOTHING = Buffer.alloc(0);

interface Stretch {
  readonly key: string;
  readonly rate: number;
  readonly context: SoftwareResampleContext;
  samples: number;
}

/** Some files change their rate or channels on the way: each stretch has its own filter, and they are joined gapless. */
export function createMonoResampler(outputRate: number): MonoResampler {
  let stretch: Stretch | undefined;
  let secondsBefore = 0;
  let produced = 0;
  const output = new Frame();
  let room = 0;
  output.alloc();

  const seconds = () => secondsBefore + (stretch === undefined ? 0 : stretch.samples / stretch.rate);

  function makeRoom(samples: number): void {
    if (samples <= room) return;
    room = 2 * samples;
    output.unref();
    output.format = AV_SAMPLE_FMT_S16;
    output.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    output.sampleRate = outputRate;
    output.nbSamples = room;
    FFmpegError.throwIfError(output.getBuffer(0), "allocate frame");
  }

  function convert(context: SoftwareResampleContext, input: Frame | null): Buffer {
    makeRoom(context.getOutSamples(input?.nbSamples ?? 0) + 1);
    // Tells the size of the buffer on the way in and what is in it on the way out.
    output.nbSamples = room;
    FFmpegError.throwIfError(context.convertFrame(output, input), "resample");
    return output.data?.[0]?.subarray(0, output.nbSamples * BYTES_PER_SAMPLE) ?? NOTHING;
  }

  /** Ends the stretch at the very sample where its length, and that of those before it, says. */
  function endStretch(): Buffer {
    if (stretch === undefined) return NOTHING;
    const { context } = stretch;
    secondsBefore = seconds();
    stretch = undefined;
    try {
      const missing = (Math.round(secondsBefore * outputRate) - produced) * BYTES_PER_SAMPLE;
      const rest = convert(context, null);
      const exact = rest.length >= missing ? rest.subarray(0, missing) : Buffer.concat([rest], missing);
      produced += exact.length / BYTES_PER_SAMPLE;
      return exact;
    } finally {
      context.free();
    }
  }

  return {
    get seconds() {
      return seconds();
    },
    push(frame) {
      placeChannels(frame);
      const { mask } = frame.channelLayout;
      const key = `${frame.sampleRate} ${frame.format} ${frame.channels} ${mask}`;
      let before = NOTHING;
      if (stretch?.key !== key) {
        before = Buffer.from(endStretch());
        stretch = { key, rate: frame.sampleRate, context: openContext(frame, outputRate), samples: 0 };
      }
      stretch.samples += frame.nbSamples;
      const converted = convert(stretch.context, frame);
      produced += converted.length / BYTES_PER_SAMPLE;
      return before.length === 0 ? converted : Buffer.concat([before, converted]);
    },
    end: endStretch,
    close() {
      stretch?.context.free();
      stretch = undefined;
      output.free();
    },
  };
}

/** Two channels are left and right, six a cinema's, unless the file says otherwise. */
function placeChannels(frame: Frame): void {
  if (frame.channelLayout.order !== AV_CHANNEL_ORDER_NATIVE)
    frame.channelLayout = avChannelLayoutDefault(frame.channels);
}

function openContext(frame: Frame, outputRate: number): SoftwareResampleContext {
  const { sampleRate, channels } = frame;
  if (sampleRate < MIN_SOURCE_RATE || sampleRate > MAX_SOURCE_RATE) {
    throw new AudioError("undecodable", `the file's sample rate of ${sampleRate} Hz is not one that sound has`);
  }
  const context = new SoftwareResampleContext();
  try {
    configure(context, frame, outputRate);
    // Where it is not said which channel is where, all count the same.
    if (context.init() < 0) {
      FFmpegError.throwIfError(context.setMatrix(new Array<number>(channels).fill(1 / channels), channels), "mix");
      FFmpegError.throwIfError(context.init(), "open resampler");
    }
    return context;
  } catch (error) {
    context.free();
    throw new AudioError("undecodable", `the file's ${channels} channels cannot be mixed into one`, undefined, error);
  }
}

function configure(context: SoftwareResampleContext, frame: Frame, outputRate: number): void {
  const { sampleRate } = frame;
  FFmpegError.throwIfError(
    context.allocSetOpts2(
      AV_CHANNEL_LAYOUT_MONO,
      AV_SAMPLE_FMT_S16,
      outputRate,
      frame.channelLayout,
      frame.format as Parameters<typeof context.allocSetOpts2>[4],
      sampleRate,
    ),
    "set up resampler",
  );
  const options = {
    filter_size: 64,
    // Of the lower rate's Nyquist; FFmpeg counts it from the output's.
    cutoff: 0.95 * Math.min(1, sampleRate / outputRate),
    // The sum of the channels may not be louder than the loudest of them can be.
    rematrix_maxval: 1,
    internal_sample_fmt: "fltp",
  };
  for (const [name, value] of Object.entries(options)) {
    FFmpegError.throwIfError(context.setOption(name, value), `set resampler option ${name}`);
  }
}
