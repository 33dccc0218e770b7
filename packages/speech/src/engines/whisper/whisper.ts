import { readFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import type { Tensor } from "onnxruntime-node";
import { isSpaced } from "../../lib/language-names.ts";
import { lazy } from "../../lib/lazy.ts";
import { openTogether } from "../../lib/open-together.ts";
import { logProbability } from "../attention/scores.ts";
import { tokenStarts } from "../attention/time-warp.ts";
import { loadTokenDecoder } from "../attention/token-decoder.ts";
import { textOf, wordsOf } from "../attention/token-words.ts";
import { withModelFile } from "../onnx/read-graph.ts";
import { createUniformSource } from "../random.ts";
import type {
  LanguageGuess,
  RecognitionHints,
  RecognitionTask,
  RecognizedSpeech,
  RecognizedWord,
  Recognizer,
} from "../recognizer.ts";
import { type DecodedTokens, decodeTokens } from "./decode-tokens.ts";
import { loadEncoder, maxFrames, whisperFrameSeconds } from "./encoder.ts";
import type { WhisperFiles } from "./files.ts";
import { loadLexicon } from "./hindi/lexicon.ts";
import { isDevanagari, spellHindi } from "./hindi/spell-words.ts";
import { NO_HINTS, type TokenHints, tokenHints } from "./hints.ts";
import { isoCode, whisperCode } from "./languages.ts";
import { parseSettings } from "./settings.ts";
import { parseWhisperVocabulary } from "./vocabulary.ts";

const sampleRate = 16_000;
/** Silence after the samples: three seconds. With less the model repeats itself; with more it is only slower. */
const SILENCE_FRAMES = 150;
/** Speech has no more tokens than this. Hindi, with a token for each vowel sign, needs most: 15 in fast speech. */
const TOKENS_PER_SECOND = 18;
/** The model's limit, without the control tokens before the text. */
const MAX_TOKENS = 440;
const TEMPERATURES = [0, 0.4, 0.8];
/** Text with a higher compression ratio repeats itself. */
const MAX_COMPRESSION = 2.4;
const MIN_CONFIDENCE = -1;
const MIN_REPEATED_WORDS = 4;
/** More speech does not improve the language detection. */
const DETECTION_SECONDS = 7;
const SILENCE_FRAMES_FOR_DETECTION = 25;
const GUESSES = 5;

export async function loadWhisper(files: WhisperFiles, threads: number): Promise<Recognizer> {
  const settings = parseSettings(await readFile(files.config, "utf8"), await readFile(files.generation, "utf8"));
  const vocabulary = parseWhisperVocabulary(await readFile(files.tokenizer, "utf8"));
  const { encoder, decoder } = await openTogether(async (onFailure) => {
    const encoder = await loadEncoder(files.encoder, settings.width, threads);
    onFailure(encoder.close);
    const load = () => loadTokenDecoder(files.decoder, settings.decoder, threads);
    return { encoder, decoder: await withModelFile(files.decoder, load) };
  });
  const lexicon = lazy(loadLexicon);
  const audioFrames = (samples: Float32Array) => Math.ceil(samples.length / sampleRate / whisperFrameSeconds);
  const framesOf = (samples: Float32Array) => Math.min(maxFrames, audioFrames(samples) + SILENCE_FRAMES);

  async function detectLanguage(samples: Float32Array): Promise<LanguageGuess[]> {
    const excerpt = samples.subarray(0, DETECTION_SECONDS * sampleRate);
    const frames = audioFrames(excerpt) + SILENCE_FRAMES_FOR_DETECTION;
    const session = await decoder.start(await encoder.encode(excerpt, frames));
    const { scores } = await session.next(settings.tokens.start);
    const languageScores = Float32Array.from(settings.languages.values(), (token) => scores[token] ?? 0);
    const guesses = [...settings.languages.keys()].flatMap((code, index) => {
      const language = isoCode(code);
      return language ? [{ language, probability: Math.exp(logProbability(languageScores, index)) }] : [];
    });
    return guesses.sort((a, b) => b.probability - a.probability).slice(0, GUESSES);
  }

  const bytesOf = ({ tokens }: DecodedTokens) => Buffer.concat(tokens.map((token) => vocabulary.bytes(token)));

  /** Encodings of the same samples, each computed once. */
  function encodingsOf(samples: Float32Array): (frames: number) => Promise<Tensor> {
    const encodings = new Map<number, Promise<Tensor>>();
    return (frames) => {
      const encoding = encodings.get(frames) ?? encoder.encode(samples, frames);
      encodings.set(frames, encoding);
      return encoding;
    };
  }

  async function bestAttempt(
    samples: Float32Array,
    encode: (frames: number) => Promise<Tensor>,
    language: number,
    task: RecognitionTask,
    hints: TokenHints,
    signal: AbortSignal,
  ): Promise<DecodedTokens> {
    const maxTokens = Math.min(
      MAX_TOKENS - hints.before.length,
      Math.ceil((samples.length / sampleRate) * TOKENS_PER_SECOND) + 8,
    );
    const options = { language, task, maxTokens, frames: audioFrames(samples), random: createUniformSource(1) };
    const attempt = async (encoded: Tensor, temperature: number, { before, bias } = NO_HINTS) =>
      decodeTokens(await decoder.start(encoded, before), settings, { ...options, temperature, bias }, signal);

    const quick = await attempt(await encode(framesOf(samples)), 0, hints);
    // A text that was cut off repeats itself, as a rule.
    if (isGood(quick) && quick.complete && !endsInRepetition(bytesOf(quick).toString())) return quick;
    // Otherwise as the model was trained: with 30 seconds, without hints, and a higher temperature each time.
    const encoded = await encode(maxFrames);
    const attempts: DecodedTokens[] = [];
    for (const temperature of TEMPERATURES) {
      const decoded = await attempt(encoded, temperature);
      if (isGood(decoded) && decoded.complete) return decoded;
      attempts.push(decoded);
    }
    // Of poor attempts, the most confident one that does not repeat itself.
    const isPoor = (decoded: DecodedTokens) => Number(isRepetitive(decoded)) + Number(!decoded.complete);
    const [best] = attempts.sort((a, b) => isPoor(a) - isPoor(b) || b.confidence - a.confidence);
    return best ?? quick;
  }

  const isGood = (decoded: DecodedTokens) => !isRepetitive(decoded) && decoded.confidence >= MIN_CONFIDENCE;
  const isRepetitive = (decoded: DecodedTokens) => {
    const text = bytesOf(decoded);
    return decoded.looped || text.length / deflateSync(text).length > MAX_COMPRESSION;
  };

  function tokenOf(language: string): number {
    const token = settings.languages.get(whisperCode(language));
    if (token === undefined) throw new Error(`the model does not know the language "${language}"`);
    return token;
  }

  function wordsIn(decoded: DecodedTokens, samples: Float32Array, isSeparated: boolean): RecognizedWord[] {
    const seconds = samples.length / sampleRate;
    const starts = tokenStarts(decoded.attention).map((frame) =>
      Math.min(seconds, Math.max(0, frame * whisperFrameSeconds - settings.alignment.delaySeconds)),
    );
    const timed = decoded.tokens.map((id, index) => ({ bytes: vocabulary.bytes(id), start: starts[index] ?? 0 }));
    return wordsOf(timed, starts[timed.length] ?? seconds, isSeparated);
  }

  async function transcribe(
    samples: Float32Array,
    signal: AbortSignal,
    language = "en",
    task: RecognitionTask = "transcribe",
    hints: RecognitionHints = {},
  ): Promise<RecognizedSpeech> {
    const encode = encodingsOf(samples);
    let decoded = await bestAttempt(samples, encode, tokenOf(language), task, tokenHints(hints, vocabulary), signal);
    const isSeparated = task === "translate" || isSpaced(language);
    let words: readonly RecognizedWord[] = wordsIn(decoded, samples, isSeparated);
    if (language === "hi" && task === "transcribe") {
      const urdu = await bestAttempt(samples, encode, tokenOf("ur"), task, NO_HINTS, signal);
      if (!isDevanagari(textOf(words))) decoded = urdu;
      words = spellHindi(words, wordsIn(urdu, samples, isSeparated), await lexicon(), hints.keywords);
    }
    return { text: textOf(words), words, confidence: decoded.confidence, silence: decoded.silence };
  }

  return {
    sampleRate,
    detectLanguage,
    transcribe,
    async close() {
      await Promise.all([encoder.close(), decoder.close()]);
    },
  };
}

/** Whether the last words repeat those before them, which happens with short inputs. */
function endsInRepetition(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (let count = MIN_REPEATED_WORDS; count * 2 <= words.length; count++) {
    const last = words.slice(-count);
    if (words.slice(-2 * count, -count).every((word, index) => word === last[index])) return true;
  }
  return false;
}
