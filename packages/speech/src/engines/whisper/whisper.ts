import { readFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import type { Tensor } from "onnxruntime-node";
import { logProbability } from "../attention/scores.ts";
import { tokenStarts } from "../attention/time-warp.ts";
import { loadTokenDecoder } from "../attention/token-decoder.ts";
import { textOf, wordsOf } from "../attention/token-words.ts";
import { createUniformSource } from "../random.ts";
import type { Heard, Recognizer } from "../recognizer.ts";
import { loadEncoder, mostFrames, whisperFrameSeconds } from "./encoder.ts";
import { isoCode, isSpaced, whisperCode } from "./languages.ts";
import { parseSettings } from "./settings.ts";
import { parseWhisperVocabulary } from "./vocabulary.ts";
import { type Written, writeDown } from "./write-down.ts";

export interface WhisperFiles {
  readonly config: string;
  readonly generation: string;
  readonly tokenizer: string;
  readonly encoder: string;
  readonly decoder: string;
}

export interface LanguageGuess {
  readonly language: string;
  /** From 0 to 1. */
  readonly probability: number;
}

/** Listens in about a hundred languages, and tells which one it is. */
export interface Whisper extends Recognizer {
  /** The likeliest languages of a stretch of speech, the likeliest first. */
  detect(samples: Float32Array): Promise<LanguageGuess[]>;
}

const sampleRate = 16_000;
/** Silence that the model is given after the sound: three seconds. With less it says things twice; with more it is only slower. */
const SILENCE_FRAMES = 150;
/** People say no more than this. Languages that are written by the syllable need most. */
const TOKENS_PER_SECOND = 14;
/** The model's own limit, less what comes before the text. */
const MOST_TOKENS = 440;
const TEMPERATURES = [0, 0.4, 0.8];
/** Text that can be packed better than this says the same again and again. */
const MOST_REPETITIVE = 2.4;
const LEAST_CONFIDENCE = -1;
const LEAST_WORDS_TWICE = 4;
/** More speech than this does not make the guess of its language better, only slower. */
const DETECTION_SECONDS = 7;
const SILENCE_FRAMES_FOR_DETECTION = 25;
const GUESSES = 5;

export async function loadWhisper(files: WhisperFiles, threads: number): Promise<Whisper> {
  const settings = parseSettings(await readFile(files.config, "utf8"), await readFile(files.generation, "utf8"));
  const vocabulary = parseWhisperVocabulary(await readFile(files.tokenizer, "utf8"));
  const encoder = await loadEncoder(files.encoder, settings.width, threads);
  const decoder = await loadTokenDecoder(await readFile(files.decoder), settings.decoder, threads);

  const soundingFrames = (samples: Float32Array) => Math.ceil(samples.length / sampleRate / whisperFrameSeconds);
  const framesOf = (samples: Float32Array) => Math.min(mostFrames, soundingFrames(samples) + SILENCE_FRAMES);

  async function detect(samples: Float32Array): Promise<LanguageGuess[]> {
    const heard = samples.subarray(0, DETECTION_SECONDS * sampleRate);
    const frames = soundingFrames(heard) + SILENCE_FRAMES_FOR_DETECTION;
    const listening = await decoder.listen(await encoder.encode(heard, frames));
    const { scores } = await listening.next(settings.tokens.start);
    const ofLanguages = Float32Array.from(settings.languages.values(), (token) => scores[token] ?? 0);
    const guesses = [...settings.languages.keys()].flatMap((code, index) => {
      const language = isoCode(code);
      return language ? [{ language, probability: Math.exp(logProbability(ofLanguages, index)) }] : [];
    });
    return guesses.sort((a, b) => b.probability - a.probability).slice(0, GUESSES);
  }

  const bytesOf = ({ tokens }: Written) => Buffer.concat(tokens.map((token) => vocabulary.bytes(token)));

  async function bestAttempt(samples: Float32Array, language: number, signal: AbortSignal): Promise<Written> {
    const mostTokens = Math.min(MOST_TOKENS, Math.ceil((samples.length / sampleRate) * TOKENS_PER_SECOND) + 8);
    const options = { language, mostTokens, frames: soundingFrames(samples), random: createUniformSource(1) };
    const attempt = async (encoded: Tensor, temperature: number) =>
      writeDown(await decoder.listen(encoded), settings, { ...options, temperature }, signal);

    const quick = await attempt(await encoder.encode(samples, framesOf(samples)), 0);
    if (isGood(quick) && !saysTwice(bytesOf(quick).toString())) return quick;
    // In doubt it listens as its makers meant it to: to 30 seconds, and less strictly each time.
    const encoded = await encoder.encode(samples, mostFrames);
    const attempts: Written[] = [];
    for (const temperature of TEMPERATURES) {
      const written = await attempt(encoded, temperature);
      if (isGood(written)) return written;
      attempts.push(written);
    }
    // Of poor attempts the surest that does not say the same again and again: that is a loop, not speech.
    const [best] = attempts.sort(
      (a, b) => Number(isRepetitive(a)) - Number(isRepetitive(b)) || b.confidence - a.confidence,
    );
    return best ?? quick;
  }

  const isGood = (written: Written) => !isRepetitive(written) && written.confidence >= LEAST_CONFIDENCE;
  const isRepetitive = (written: Written) => {
    const text = bytesOf(written);
    return written.looped || text.length / deflateSync(text).length > MOST_REPETITIVE;
  };

  async function transcribe(samples: Float32Array, signal: AbortSignal, language = "en"): Promise<Heard> {
    const token = settings.languages.get(whisperCode(language));
    if (token === undefined) throw new Error(`the model does not know the language "${language}"`);
    const written = await bestAttempt(samples, token, signal);
    const seconds = samples.length / sampleRate;
    const starts = tokenStarts(written.attention).map((frame) =>
      Math.min(seconds, Math.max(0, frame * whisperFrameSeconds - settings.alignment.lateSeconds)),
    );
    const timed = written.tokens.map((id, index) => ({ bytes: vocabulary.bytes(id), start: starts[index] ?? 0 }));
    const words = wordsOf(timed, starts[timed.length] ?? seconds, isSpaced(language));
    return { text: textOf(words), words, confidence: written.confidence, silence: written.silence };
  }

  return {
    sampleRate,
    detect,
    transcribe,
    async close() {
      await Promise.all([encoder.close(), decoder.close()]);
    },
  };
}

/** Whether the last words are the ones before them once more, which short views make the model do. */
function saysTwice(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (let count = LEAST_WORDS_TWICE; count * 2 <= words.length; count++) {
    const last = words.slice(-count);
    if (words.slice(-2 * count, -count).every((word, index) => word === last[index])) return true;
  }
  return false;
}
