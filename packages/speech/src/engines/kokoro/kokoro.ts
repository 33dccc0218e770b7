import { readFile } from "node:fs/promises";
import { createStretcher } from "../../audio/stretch.ts";
import type { Pronouncer } from "../../g2p/pronounce.ts";
import type { Engine } from "../engine.ts";
import { parseGraph } from "../onnx/graph.ts";
import { type PhonemeToken, tokenize, wordTimings } from "../tokens.ts";
import { kokoroAlphabet } from "./alphabet.ts";
import { openEncoder } from "./stages.ts";
import { createStyles } from "./styles.ts";
import { type KokoroQuality, openVoicing } from "./voicing.ts";

const sampleRate = 24_000;
const SAMPLES_PER_FRAME = 600;
/** A style table has a row for each length of text; the model reads no more than this. */
const LONGEST_TEXT = 510;
/** Frames that the decoder makes of one of the encoder's. */
const DECODER_FRAMES = 2;
/** Sounds set in this much before their token does: measured at words that follow a pause. */
const EARLY_FRAMES = 2;

export interface KokoroFiles {
  readonly model: string;
  readonly tokenizer: string;
  /** The folder of the voices' style tables, `NAME.bin`. */
  readonly voices: string;
}

export async function loadKokoro(
  files: KokoroFiles,
  quality: KokoroQuality,
  pronounce: Pronouncer,
  threads: number,
): Promise<Engine> {
  const vocabulary = parseVocabulary(await readFile(files.tokenizer, "utf8"));
  const graph = parseGraph(await readFile(files.model));
  const encoder = await openEncoder(graph, threads);
  const voicing = await openVoicing(quality, graph, threads);
  const styleOf = createStyles(files.voices);

  return {
    sampleRate,
    someVoice: "af_heart",

    async *synthesize(chunk, voice, options, signal) {
      const spoken = tokenize(pronounce(chunk.words, voice.language), kokoroAlphabet(vocabulary, voice.language));
      let elapsed = 0;
      const secondsPerFrame = SAMPLES_PER_FRAME / sampleRate / options.speed;
      for (const tokens of pieces(spoken)) {
        if (signal.aborted) return;
        const padded: PhonemeToken[] = [{ id: 0, word: -1 }, ...tokens, { id: 0, word: -1 }];
        const text = await encoder.encode(
          padded.map((token) => token.id),
          await styleOf(voice, tokens.length),
        );
        const lead = Math.max(0, (text.framesOfToken[0] ?? 0) - EARLY_FRAMES);
        const lasts = (token: number) => (token === 0 ? lead : (text.framesOfToken[token] ?? 0));
        let timings = wordTimings(padded, (token) => lasts(token) * secondsPerFrame, elapsed);
        const stretcher = createStretcher({ sampleRate, speed: options.speed });
        const give = (samples: Float32Array) => {
          elapsed += samples.length / sampleRate;
          const window = timings.length > 0 ? { samples, timings } : { samples };
          timings = [];
          return window;
        };
        const sound = voicing.speak(text, {
          // The model itself draws nothing at random; only the noise of breath and consonants can vary.
          noise: options.temperature > 0 ? options.seed : 0,
          speed: options.speed,
          lead: lead * DECODER_FRAMES,
        });
        for await (const samples of sound) {
          yield give(stretcher.push(samples));
          if (signal.aborted) return;
        }
        const rest = stretcher.flush();
        if (rest.length > 0) yield give(rest);
      }
    },

    async close() {
      await Promise.all([encoder.close(), voicing.close()]);
    },
  };
}

/** Texts that are too long are parted at a space. */
function* pieces(tokens: readonly PhonemeToken[]): Generator<readonly PhonemeToken[]> {
  for (let start = 0; start < tokens.length; ) {
    let end = Math.min(tokens.length, start + LONGEST_TEXT);
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
  if (!parsed.model?.vocab) throw new Error("the tokenizer of Kokoro holds no vocabulary");
  return new Map(Object.entries(parsed.model.vocab));
}
