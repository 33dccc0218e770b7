import { readFile } from "node:fs/promises";
import { createStretcher } from "../../audio/stretch.ts";
import { lazy } from "../../lib/lazy.ts";
import type { EngineLoadOptions, SynthesisQuality } from "../descriptor.ts";
import type { Engine, EngineVoice } from "../engine.ts";
import { readGraph } from "../onnx/read-graph.ts";
import { type PhonemeToken, tokenize, wordTimings } from "../tokens.ts";
import { kokoroAlphabet } from "./alphabet.ts";
import { type Decoder, openDecoder, openStudent } from "./decoders.ts";
import type { KokoroFiles } from "./files.ts";
import { pitchContour } from "./pitch-contour.ts";
import { createKokoroPronouncer } from "./pronounce.ts";
import { openEncoder } from "./stages.ts";
import { createStyles } from "./styles.ts";

const sampleRate = 24_000;
const SAMPLES_PER_FRAME = 600;
/** The maximum number of tokens: a style table has a row for each length of text. */
const MAX_TOKENS = 510;
/** Decoder frames per encoder frame. */
export const DECODER_FRAMES = 2;
/** The sound of a word starts this much before its token, measured at words after a pause. */
const EARLY_FRAMES = 2;

/** Encoder frames of silence at the start of a text. */
export const leadFrames = (framesOfToken: Float32Array): number => Math.max(0, (framesOfToken[0] ?? 0) - EARLY_FRAMES);

/** A function of its own: a closure beside the graph would keep it, and with it the 90 MB of the model file. */
async function openStages(model: string, quality: SynthesisQuality, threads: number) {
  const graph = await readGraph(model);
  const encoder = await openEncoder(graph, quality, threads);
  return { encoder, decoder: await openDecoder(quality, graph, threads) };
}

export async function loadKokoro(
  files: KokoroFiles,
  { quality, pronounce, threads }: EngineLoadOptions,
): Promise<Engine> {
  const alphabet = kokoroAlphabet(parseVocabulary(await readFile(files.tokenizer, "utf8")));
  const pronounceWords = createKokoroPronouncer(pronounce);
  const { encoder, decoder } = await openStages(files.model, quality, threads);
  const styleOf = createStyles(files.voices);
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
      const spoken = tokenize(await pronounceWords(chunk.words, chunk.language), alphabet);
      const { decode } = await decoderFor(voice);
      const contourOf = pitchContour(voice, chunk.language);
      let elapsed = 0;
      const speed = options.speed * (voice.pace ?? 1);
      const secondsPerFrame = SAMPLES_PER_FRAME / sampleRate / speed;
      for (const tokens of pieces(spoken)) {
        if (signal.aborted) return;
        const padded: PhonemeToken[] = [{ id: 0, word: -1 }, ...tokens, { id: 0, word: -1 }];
        const text = await encoder.encode(
          padded.map((token) => token.id),
          await styleOf(voice, tokens.length, chunk.language),
        );
        const lead = leadFrames(text.framesOfToken);
        const lasts = (token: number) => (token === 0 ? lead : (text.framesOfToken[token] ?? 0));
        let timings = wordTimings(padded, (token) => lasts(token) * secondsPerFrame, elapsed);
        const stretcher = createStretcher({ sampleRate, speed });
        const toWindow = (samples: Float32Array) => {
          elapsed += samples.length / sampleRate;
          const window = timings.length > 0 ? { samples, timings } : { samples };
          timings = [];
          return window;
        };
        const sound = decode(
          { ...text, pitch: contourOf(text.pitch) },
          {
            // The model itself is deterministic; only the noise of breath and consonants varies.
            noise: options.temperature > 0 ? options.seed : 0,
            speed,
            lead: lead * DECODER_FRAMES,
          },
        );
        for await (const samples of sound) {
          yield toWindow(stretcher.push(samples));
          if (signal.aborted) return;
        }
        const rest = stretcher.flush();
        if (rest.length > 0) yield toWindow(rest);
      }
    },

    async close() {
      await Promise.all([encoder, ...opened].map((each) => each.close()));
    },
  };
}

/** Splits texts that are too long at a space. */
function* pieces(tokens: readonly PhonemeToken[]): Generator<readonly PhonemeToken[]> {
  for (let start = 0; start < tokens.length; ) {
    let end = Math.min(tokens.length, start + MAX_TOKENS);
    if (end < tokens.length) {
      const space = tokens.findLastIndex((token, index) => index > start && index < end && token.word === -1);
      if (space > start) end = space + 1;
    }
    yield tokens.slice(start, end);
    start = end;
  }
}

export function parseVocabulary(file: string): ReadonlyMap<string, number> {
  const parsed: { model?: { vocab?: Record<string, number> } } = JSON.parse(file);
  if (!parsed.model?.vocab) throw new Error("the tokenizer of Kokoro has no vocabulary");
  return new Map(Object.entries(parsed.model.vocab));
}
