import { readFile } from "node:fs/promises";
import { createStretcher } from "../../audio/stretch.ts";
import type { PronouncedWord } from "../../g2p/pronounce.ts";
import type { EngineLoadOptions } from "../descriptor.ts";
import type { Engine, EngineVoice } from "../engine.ts";
import { createNormalSource } from "../random.ts";
import { type Alphabet, type PhonemeToken, tokenize, wordTimings } from "../tokens.ts";
import { weightedMean } from "../weighted-mean.ts";
import type { PiperFiles } from "./files.ts";
import { createLatents } from "./latents.ts";
import { loadPiperStages, SPEAKER_SIZE } from "./stages.ts";

const sampleRate = 22_050;
const SAMPLES_PER_FRAME = 256;
/** Frames of context on each side that the decoder needs. */
const DECODER_CONTEXT = 12;
/** The first window is short for a fast start; later ones grow, to spend less on context. */
const FIRST_WINDOW = 24;
const LARGEST_WINDOW = 96;
/** The model's recommended noise, used at the default temperature. */
const RECOMMENDED = { noise: 0.333, durationNoise: 0.333, temperature: 0.7 };

/** The limit of the time stretcher. */
const MAX_SPEED = 4;

export async function loadPiper(files: PiperFiles, { pronounce, threads }: EngineLoadOptions): Promise<Engine> {
  const alphabet = parseAlphabet(await readFile(files.tokens, "utf8"));
  const stages = await loadPiperStages(files.model, threads);

  /** The name is the row in the model's table of speakers. */
  function speakerEmbedding(name: string): Float32Array {
    const row = Number(name);
    const speaker = stages.speakers.slice(row * SPEAKER_SIZE, (row + 1) * SPEAKER_SIZE);
    if (speaker.length !== SPEAKER_SIZE) throw new Error(`Piper has no speaker "${name}"`);
    return speaker;
  }

  function speakerOf(embedding: EngineVoice["embedding"]): Float32Array {
    if (embedding instanceof Float32Array) return embedding;
    if (typeof embedding === "string") return speakerEmbedding(embedding);
    return weightedMean(embedding.map(({ name, weight }) => ({ numbers: speakerEmbedding(name), weight })));
  }

  return {
    sampleRate,
    warmUpVoice: "0",

    async *synthesize(chunk, voice, options, signal) {
      const tokens = framed(tokenize(pronounce(chunk.words, chunk.language), alphabet));
      if (tokens.length === 0) return;
      const { embedding } = voice;
      const speaker = speakerOf(embedding);
      const variation = options.temperature / RECOMMENDED.temperature;

      const normal = createNormalSource(options.seed);
      const durationNoise = Float32Array.from(
        { length: 2 * tokens.length },
        () => normal() * variation * RECOMMENDED.durationNoise,
      );
      const prosody = await stages.encodeText(
        tokens.map((token) => token.id),
        speaker,
        durationNoise,
      );
      // The model can speak more slowly itself. Faster, it drops sounds, so the audio is time-stretched instead.
      const speed = Math.min(MAX_SPEED, options.speed * (voice.pace ?? 1));
      const pace = Math.min(1, speed);
      const stretch = speed / pace;
      const framesOfToken = atPace(withPauses(prosody.frames, tokens), pace);
      const latents = createLatents(stages, prosody, framesOfToken, speaker, {
        scale: variation * RECOMMENDED.noise,
        seed: options.seed + 1,
      });

      const stretcher = createStretcher({ sampleRate, speed: stretch });
      const secondsPerFrame = SAMPLES_PER_FRAME / sampleRate / stretch;
      let timings = wordTimings(tokens, (token) => (framesOfToken[token] ?? 0) * secondsPerFrame);
      // Stretched audio needs more frames for the same playing time.
      let size = Math.round(FIRST_WINDOW * stretch);
      for (let start = 0; start < latents.count; size = Math.min(size * 2, LARGEST_WINDOW)) {
        if (signal.aborted) return;
        // A remainder too small for a window of its own joins this one.
        const end = latents.count - start < size * 1.5 ? latents.count : start + size;
        const from = Math.max(0, start - DECODER_CONTEXT);
        const to = Math.min(latents.count, end + DECODER_CONTEXT);
        const audio = await stages.decode(await latents.take(from, to), to - from, speaker);
        const own = audio.slice((start - from) * SAMPLES_PER_FRAME, (end - from) * SAMPLES_PER_FRAME);
        const samples = end === latents.count ? stretcher.flush(own) : stretcher.push(own);
        yield timings.length > 0 ? { samples, timings } : { samples };
        timings = [];
        start = end;
      }
    },

    close: () => stages.close(),
  };
}

/** The model was trained on single sentences and pauses too little between two: the minimum length of that pause. */
const PAUSE_FRAMES = Math.round((0.25 * sampleRate) / SAMPLES_PER_FRAME);

function withPauses(frames: Float32Array, tokens: readonly PhonemeToken[]): Float32Array {
  return frames.map((count, index) => (tokens[index]?.pause ? Math.max(count, PAUSE_FRAMES) : count));
}

/**
 * Whole frames for each token. At its own pace the model rounds up, which adds half a frame to every token. The rounded
 * lengths are scaled, so that half the speed is twice the length, and rounding errors are carried to the next token.
 */
function atPace(frames: Float32Array, pace: number): number[] {
  let exact = 0;
  let used = 0;
  return Array.from(frames, (count) => {
    exact += Math.ceil(count) / pace;
    const whole = Math.round(exact) - used;
    used += whole;
    return whole;
  });
}

/** The model's input for these words. */
export async function piperTokens(alphabetFile: string, words: readonly PronouncedWord[]): Promise<PhonemeToken[]> {
  return framed(tokenize(words, parseAlphabet(await readFile(alphabetFile, "utf8"))));
}

const MARK = { filler: 0, start: 1, end: 2 };

/** Piper's input is ^ _ p _ p _ … $: a start, every symbol with a filler after it, an end. A filler belongs to its symbol. */
function framed(tokens: readonly PhonemeToken[]): PhonemeToken[] {
  if (tokens.length === 0) return [];
  return [
    { id: MARK.start, word: -1 },
    { id: MARK.filler, word: -1 },
    ...tokens.flatMap((token) => [token, { id: MARK.filler, word: token.word }]),
    { id: MARK.end, word: -1 },
  ];
}

/** Lines of "symbol id"; the symbol of the first line is a space. */
function parseAlphabet(file: string): Alphabet {
  const ids = new Map<string, number>();
  for (const line of file.split("\n")) {
    const space = line.lastIndexOf(" ");
    if (space > 0) ids.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  return {
    id: (symbol) => ids.get(symbol),
    punctuation: (mark) => ({ "—": ",", "…": "." })[mark] ?? mark,
    spell: (phonemes) => phonemes.join(""),
  };
}
