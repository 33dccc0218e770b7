import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tensor } from "onnxruntime-node";
import { createStretcher } from "../../audio/stretch.ts";
import type { Pronouncer } from "../../g2p/pronounce.ts";
import { parseGraph } from "../../onnx/graph.ts";
import type { Engine, EngineVoice } from "../engine.ts";
import { floats, floatsOf, integers, openSession } from "../session.ts";
import { type PhonemeToken, tokenize, wordTimings } from "../tokens.ts";
import { kokoroAlphabet } from "./alphabet.ts";

const sampleRate = 24_000;
const SAMPLES_PER_FRAME = 600;
const STYLE_SIZE = 256;
/** A style table has a row for each length of text; the model reads no more than this. */
const LONGEST_TEXT = 510;
/** Sounds set in this much before their token does: measured at words that follow a pause. */
const EARLY_FRAMES = 2;
const KEPT_STYLES = 64;

export interface KokoroFiles {
  readonly model: string;
  readonly tokenizer: string;
  /** The folder of the voices' style tables, `NAME.bin`. */
  readonly voices: string;
}

export async function loadKokoro(files: KokoroFiles, pronounce: Pronouncer, threads: number): Promise<Engine> {
  const vocabulary = parseVocabulary(await readFile(files.tokenizer, "utf8"));
  const session = await openSession(withDurations(await readFile(files.model)), threads);
  const styles = new Map<string, Float32Array>();

  async function stylesOf(voice: EngineVoice): Promise<Float32Array> {
    if (typeof voice.embedding !== "string") return voice.embedding;
    const known = styles.get(voice.embedding);
    if (known) return known;
    if (styles.size >= KEPT_STYLES) styles.clear();
    const file = await readFile(join(files.voices, `${voice.embedding}.bin`));
    const table = new Float32Array(new Uint8Array(file).buffer);
    styles.set(voice.embedding, table);
    return table;
  }

  return {
    sampleRate,
    someVoice: "af_heart",

    // Kokoro normalises over the whole of its input, so there is no window smaller than the text. It draws no noise:
    // temperature and seed change nothing.
    async *synthesize(chunk, voice, options, signal) {
      const spoken = tokenize(pronounce(chunk.words, voice.language), kokoroAlphabet(vocabulary, voice.language));
      const table = await stylesOf(voice);
      let elapsed = 0;
      const secondsPerFrame = SAMPLES_PER_FRAME / sampleRate / options.speed;
      for (const tokens of pieces(spoken)) {
        if (signal.aborted) return;
        const padded: PhonemeToken[] = [{ id: 0, word: -1 }, ...tokens, { id: 0, word: -1 }];
        const row = Math.min(tokens.length, LONGEST_TEXT) - 1;
        const outputs = await session.run({
          input_ids: integers(
            padded.map((token) => token.id),
            1,
            padded.length,
          ),
          style: floats(table.slice(row * STYLE_SIZE, (row + 1) * STYLE_SIZE), 1, STYLE_SIZE),
          // It is understood best at its own pace, so faster and slower are made from that.
          speed: new Tensor("float32", [1], [1]),
        });
        const frames = floatsOf(outputs, durations);
        const lasts = (token: number) => (frames[token] ?? 0) - (token === 0 ? EARLY_FRAMES : 0);
        const stretcher = createStretcher({ sampleRate, speed: options.speed });
        const samples = stretcher.flush(floatsOf(outputs, "waveform"));
        const timings = wordTimings(padded, (token) => lasts(token) * secondsPerFrame, elapsed);
        elapsed += samples.length / sampleRate;
        yield { samples, timings };
      }
    },

    close: () => session.release(),
  };
}

const durations = "/encoder/Clip_output_0";

/** The same model, which also tells how many frames each token lasts. */
function withDurations(model: Uint8Array): Uint8Array {
  return parseGraph(model).cut(
    [
      { name: "input_ids", type: "int64", shape: [1, "tokens"] },
      { name: "style", type: "float32", shape: [1, STYLE_SIZE] },
      { name: "speed", type: "float32", shape: [1] },
    ],
    [
      { name: "waveform", type: "float32", shape: [1, "samples"] },
      { name: durations, type: "float32", shape: [1, "tokens"] },
    ],
  );
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

function parseVocabulary(file: string): ReadonlyMap<string, number> {
  const parsed: { model?: { vocab?: Record<string, number> } } = JSON.parse(file);
  if (!parsed.model?.vocab) throw new Error("the tokenizer of Kokoro holds no vocabulary");
  return new Map(Object.entries(parsed.model.vocab));
}
