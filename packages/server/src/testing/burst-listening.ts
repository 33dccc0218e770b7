import {
  createFrameDecoder,
  createListener,
  createOpusDecoders,
  type ListenerParts,
  type Listening,
  type ListeningRequest,
  listeningFormat,
  listenToOpus,
  type TranscriptSegment,
} from "@parlance/speech";

type Workers = ListenerParts["workers"];
type Job = Parameters<Workers["run"]>[0];
type Result = Awaited<ReturnType<Workers["run"]>>;

const RATE = 16_000;
const CHUNK = 512;

/** The real listener on workers that take bursts of noise for words. */
export function listenToBursts(
  request: ListeningRequest,
  signal: AbortSignal,
  burstsOf: (samples: Int16Array, sampleRate: number) => readonly TranscriptSegment[],
  onEnd: () => void,
): Listening {
  const run = async (job: Job, stop: AbortSignal): Promise<Result> => {
    stop.throwIfAborted();
    switch (job.type) {
      case "prepare":
        return { type: "prepared" };
      case "follow-speech":
        return followed(job.samples);
      case "detect-language":
        return { type: "language", guesses: [{ language: "en", probability: 1 }] };
      case "transcribe": {
        if (!("samples" in job.audio)) throw new Error("not a stream");
        const { samples, from } = job.audio;
        const words = burstsOf(samples, RATE).map(({ text, start, end }) => ({
          text,
          start: start + from,
          end: end + from,
          joined: false,
        }));
        return { type: "words", confidence: 0, words };
      }
      case "detect-speech":
      case "embed-voices":
      case "group-voices":
        throw new Error("not for streams");
    }
  };
  const decoders = createOpusDecoders();
  const listen = (stopped: AbortSignal): Listening =>
    createListener(
      request,
      {
        workers: { count: 1, run },
        assign: (language) => ({ engine: "moonshine", language: language ?? "en" }),
        decoder: createFrameDecoder(listeningFormat(request.format)),
        share: () => 1,
        onCost: () => {},
        onEnd() {
          decoders.close();
          onEnd();
        },
      },
      stopped,
    );
  return request.format.encoding === "opus" ? listenToOpus(decoders, listen, signal) : listen(signal);
}

function followed(samples: Int16Array): Result {
  const levels = Float32Array.from({ length: samples.length / CHUNK }, (_, chunk) => {
    const part = samples.subarray(chunk * CHUNK, (chunk + 1) * CHUNK);
    return part.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) / 32768;
  });
  const state = { memory: new Float32Array(0), context: new Float32Array(0) };
  return { type: "followed", probabilities: levels.map((level) => (level > 0.02 ? 0.99 : 0)), levels, state };
}
