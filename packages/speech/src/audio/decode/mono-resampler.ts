import { AV_CHANNEL_LAYOUT_MONO, AV_CHANNEL_ORDER_NATIVE, AV_SAMPLE_FMT_S16 } from "node-av/constants";
import { avChannelLayoutDefault, FFmpegError, Frame, SoftwareResampleContext } from "node-av/lib";
import { AudioError } from "../../errors.ts";

/** Converts decoded frames of any rate, channels and sample format to mono 16-bit samples of one rate. */
export interface MonoResampler {
  /** The exact length of the input so far. */
  readonly seconds: number;
  /** The bytes that are ready; valid until the next call. */
  push(frame: Frame): Buffer;
  /** The rest. All output together has round(seconds × rate) samples. */
  end(): Buffer;
  close(): void;
}

/** Below, a frame would become very many samples; above, there are no recordings. */
const MIN_SOURCE_RATE = 2000;
const MAX_SOURCE_RATE = 768_000;
const BYTES_PER_SAMPLE = 2;
const EMPTY = Buffer.alloc(0);

interface Section {
  readonly key: string;
  readonly rate: number;
  readonly context: SoftwareResampleContext;
  samples: number;
}

/** Some files change their rate or channels: each section has its own filter, and sections are joined without a gap. */
export function createMonoResampler(outputRate: number): MonoResampler {
  let section: Section | undefined;
  let secondsBefore = 0;
  let produced = 0;
  const output = new Frame();
  let capacity = 0;
  output.alloc();

  const seconds = () => secondsBefore + (section === undefined ? 0 : section.samples / section.rate);

  function ensureCapacity(samples: number): void {
    if (samples <= capacity) return;
    capacity = 2 * samples;
    output.unref();
    output.format = AV_SAMPLE_FMT_S16;
    output.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    output.sampleRate = outputRate;
    output.nbSamples = capacity;
    FFmpegError.throwIfError(output.getBuffer(0), "allocate frame");
  }

  function convert(context: SoftwareResampleContext, input: Frame | null): Buffer {
    ensureCapacity(context.getOutSamples(input?.nbSamples ?? 0) + 1);
    // In: the size of the buffer. Out: the number of samples in it.
    output.nbSamples = capacity;
    FFmpegError.throwIfError(context.convertFrame(output, input), "resample");
    return output.data?.[0]?.subarray(0, output.nbSamples * BYTES_PER_SAMPLE) ?? EMPTY;
  }

  /** Ends the section exactly at the sample that follows from its length and that of the sections before it. */
  function endSection(): Buffer {
    if (section === undefined) return EMPTY;
    const { context } = section;
    secondsBefore = seconds();
    section = undefined;
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
      setChannelLayout(frame);
      const { mask } = frame.channelLayout;
      const key = `${frame.sampleRate} ${frame.format} ${frame.channels} ${mask}`;
      let before = EMPTY;
      if (section?.key !== key) {
        before = Buffer.from(endSection());
        section = { key, rate: frame.sampleRate, context: openContext(frame, outputRate), samples: 0 };
      }
      section.samples += frame.nbSamples;
      const converted = convert(section.context, frame);
      produced += converted.length / BYTES_PER_SAMPLE;
      return before.length === 0 ? converted : Buffer.concat([before, converted]);
    },
    end: endSection,
    close() {
      section?.context.free();
      section = undefined;
      output.free();
    },
  };
}

/** Uses the default layout (stereo, 5.1) unless the file names one. */
function setChannelLayout(frame: Frame): void {
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
    // With an unknown layout all channels have the same weight.
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
    // Relative to the Nyquist frequency of the lower rate; FFmpeg expects it relative to that of the output.
    cutoff: 0.95 * Math.min(1, sampleRate / outputRate),
    // The mix must not clip.
    rematrix_maxval: 1,
    internal_sample_fmt: "fltp",
  };
  for (const [name, value] of Object.entries(options)) {
    FFmpegError.throwIfError(context.setOption(name, value), `set resampler option ${name}`);
  }
}
