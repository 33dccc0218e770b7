import { readFile } from "node:fs/promises";
import { createStretcher } from "../../audio/stretch.ts";
import type { PronouncedWord, Pronouncer } from "../../g2p/pronounce.ts";
import type { Engine, EngineVoice } from "../engine.ts";
import { createNormalSource } from "../random.ts";
import { type Alphabet, type PhonemeToken, tokenize, wordTimings } from "../tokens.ts";
import { createLatents } from "./latents.ts";
import { loadPiperStages, SPEAKER_SIZE } from "./stages.ts";

const sampleRate = 22_050;
const SAMPLES_PER_FRAME = 256;
/** Frames on each side that the decoder looks at. */
const DECODER_CONTEXT = 12;
/** The first window is short, so that sound comes soon; later ones grow, so that their context costs little. */
const FIRST_WINDOW = 24;
const LARGEST_WINDOW = 96;
/** The model's own advice for natural variation, reached at the default temperature. */
const ADVISED = { noise: 0.333, durationNoise: 0.333, temperature: 0.7 };

export interface PiperFiles {
  readonly model: string;
  readonly tokens: string;
}

/** An engine whose voices are any vectors of numbers. */
export interface PiperEngine extends Engine {
  /** The vectors of the speakers that it was taught, one after the other. */
  readonly speakers: Float32Array;
}

export async function loadPiper(files: PiperFiles, pronounce: Pronouncer, threads: number): Promise<PiperEngine> {
  const alphabet = parseAlphabet(await readFile(files.tokens, "utf8"));
  const stages = await loadPiperStages(files.model, threads);

  function speakerOf(voice: EngineVoice): Float32Array {
    if (typeof voice.embedding !== "string") return voice.embedding;
    const row = Number(voice.embedding);
    const speaker = stages.speakers.slice(row * SPEAKER_SIZE, (row + 1) * SPEAKER_SIZE);
    if (speaker.length !== SPEAKER_SIZE) throw new Error(`Piper has no speaker "${voice.embedding}"`);
    return speaker;
  }

  return {
    sampleRate,
    someVoice: "0",
    speakers: stages.speakers,

    async *synthesize(chunk, voice, options, signal) {
      const tokens = framed(tokenize(pronounce(chunk.words, voice.language), alphabet));
      if (tokens.length === 0) return;
      const speaker = speakerOf(voice);
      const variation = options.temperature / ADVISED.temperature;

      const normal = createNormalSource(options.seed);
      const durationNoise = Float32Array.from(
        { length: 2 * tokens.length },
        () => normal() * variation * ADVISED.durationNoise,
      );
      const prosody = await stages.encodeText(
        tokens.map((token) => token.id),
        speaker,
        durationNoise,
      );
      // Slower, the model speaks well itself. Faster, it swallows sounds: most have no frame to spare.
      const speed = options.speed * (voice.pace ?? 1);
      const pace = Math.min(1, speed);
      const hurry = speed / pace;
      const framesOfToken = atPace(withPauses(prosody.frames, tokens), pace);
      const latents = createLatents(stages, prosody, framesOfToken, speaker, {
        scale: variation * ADVISED.noise,
        seed: options.seed + 1,
      });

      const stretcher = createStretcher({ sampleRate, speed: hurry });
      const secondsPerFrame = SAMPLES_PER_FRAME / sampleRate / hurry;
      let timings = wordTimings(tokens, (token) => (framesOfToken[token] ?? 0) * secondsPerFrame);
      // In a hurry it takes more frames for the same lead over the listener.
      let size = Math.round(FIRST_WINDOW * hurry);
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

/** The model was taught single sentences and hurries from one into the next: a stop between two lasts at least so long. */
const STOP_FRAMES = Math.round((0.25 * sampleRate) / SAMPLES_PER_FRAME);

function withPauses(frames: Float32Array, tokens: readonly PhonemeToken[]): Float32Array {
  return frames.map((count, index) => (tokens[index]?.pause ? Math.max(count, STOP_FRAMES) : count));
}

/**
 * Whole frames for each token. At the voice's own pace the model rounds up, which adds half a frame to every token; if
 * that were not scaled as well, half the speed would be far from twice the length. So the rounded lengths are scaled,
 * and what a token cannot have goes to the next.
 */
function atPace(frames: Float32Array, pace: number): number[] {
  let exact = 0;
  let given = 0;
  return Array.from(frames, (count) => {
    exact += Math.ceil(count) / pace;
    const whole = Math.round(exact) - given;
    given += whole;
    return whole;
  });
}

/** What the model reads for these words. */
export async function piperTokens(alphabetFile: string, words: readonly PronouncedWord[]): Promise<PhonemeToken[]> {
  return framed(tokenize(words, parseAlphabet(await readFile(alphabetFile, "utf8"))));
}

const MARK = { filler: 0, start: 1, end: 2 };

/** Piper reads ^ _ p _ p _ … $: a start, every symbol with a filler after it, an end. A filler belongs to its symbol. */
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
    const parted = line.lastIndexOf(" ");
    if (parted > 0) ids.set(line.slice(0, parted), Number(line.slice(parted + 1)));
  }
  return {
    id: (symbol) => ids.get(symbol),
    punctuation: (mark) => ({ "—": ",", "…": "." })[mark] ?? mark,
    spell: (phonemes) => phonemes.join(""),
  };
}
