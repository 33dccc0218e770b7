import { createStretcher } from "../../audio/stretch.ts";
import { lazy } from "../../lib/lazy.ts";
import { type OnFailure, openTogether } from "../../lib/open-together.ts";
import type { EngineLoadOptions, SynthesisQuality } from "../descriptor.ts";
import type { Engine, EngineVoice } from "../engine.ts";
import { readGraph } from "../onnx/read-graph.ts";
import { wordTimings } from "../tokens.ts";
import { type Decoder, openDecoder, openStudent } from "./decoders.ts";
import type { KokoroFiles } from "./files.ts";
import { createProsodySource } from "./prosody-source.ts";
import { openEncoder } from "./stages.ts";

const sampleRate = 24_000;
const SAMPLES_PER_FRAME = 600;
/** Decoder frames per encoder frame. */
export const DECODER_FRAMES = 2;
/** The sound of a word starts this much before its token, measured at words after a pause. */
const EARLY_FRAMES = 2;

/** Encoder frames of silence at the start of a text. */
export const leadFrames = (framesOfToken: Float32Array): number => Math.max(0, (framesOfToken[0] ?? 0) - EARLY_FRAMES);

/** A function of its own: a closure beside the graph would keep it, and with it the 90 MB of the model file. */
async function openStages(model: string, quality: SynthesisQuality, threads: number, onFailure: OnFailure) {
  const graph = await readGraph(model);
  const encoder = await openEncoder(graph, quality, threads);
  onFailure(encoder.close);
  const decoder = await openDecoder(quality, graph, threads);
  onFailure(decoder.close);
  return { encoder, decoder };
}

export async function loadKokoro(
  files: KokoroFiles,
  { quality, pronounce, threads }: EngineLoadOptions,
): Promise<Engine> {
  const { decoder, source } = await openTogether(async (onFailure) => {
    const { encoder, decoder } = await openStages(files.model, quality, threads, onFailure);
    return { decoder, source: await createProsodySource(files, encoder, pronounce) };
  });
  const opened: Decoder[] = [decoder];
  const student = lazy(async () => {
    const loaded = await openStudent(threads);
    opened.push(loaded);
    return loaded;
  });
  /** The timbre of a cloned voice is made for the small network: the original decoder does not know it. */
  function decoderFor({ prosody }: EngineVoice): Promise<Decoder> | Decoder {
    return prosody === undefined || quality === "fast" ? decoder : student();
  }

  return {
    sampleRate,
    warmUpVoice: "af_heart",

    async *synthesize(chunk, voice, options, signal) {
      const { decode } = await decoderFor(voice);
      let elapsed = 0;
      const speed = options.speed * (voice.pace ?? 1);
      const secondsPerFrame = SAMPLES_PER_FRAME / sampleRate / speed;
      for await (const text of source.prosodyOf(chunk, voice, signal)) {
        const lead = leadFrames(text.framesOfToken);
        const lasts = (token: number) => (token === 0 ? lead : (text.framesOfToken[token] ?? 0));
        let timings = wordTimings(text.tokens, (token) => lasts(token) * secondsPerFrame, elapsed);
        const stretcher = createStretcher({ sampleRate, speed });
        const toWindow = (samples: Float32Array) => {
          elapsed += samples.length / sampleRate;
          const window = timings.length > 0 ? { samples, timings } : { samples };
          timings = [];
          return window;
        };
        const sound = decode(text, {
          // The model itself is deterministic; only the noise of breath and consonants varies.
          noise: options.temperature > 0 ? options.seed : 0,
          speed,
          lead: lead * DECODER_FRAMES,
          // Without a timbre of its own, a voice is one that the decoder was made for.
          offsets: voice.prosody === undefined ? undefined : voice.decoderOffsets,
        });
        for await (const samples of sound) {
          yield toWindow(stretcher.push(samples));
          if (signal.aborted) return;
        }
        const rest = stretcher.flush();
        if (rest.length > 0) yield toWindow(rest);
      }
    },

    async close() {
      await Promise.all([source.close(), ...opened.map((each) => each.close())]);
    },
  };
}
