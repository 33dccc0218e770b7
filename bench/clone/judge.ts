import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Cloning, defaultRequest, type Speech, type SpeechVoice, type Transcription } from "@parlance/speech";
import { createResampler } from "../../packages/speech/src/audio/index.ts";
import { concatSamples } from "../../packages/speech/src/lib/concat.ts";
import { decodeAudio } from "../../packages/speech/src/testing/decode-audio.ts";
import { wordErrors } from "../../packages/speech/src/testing/word-errors.ts";
import { meanFeatures, type SpeakerFeatures } from "../../packages/speech/src/voices/clone/speaker-features.ts";
import { unit } from "../../packages/speech/src/voices/clone/xvector/xvector.ts";
import { sentences as english } from "../../tests/sentences.ts";
import { sentences } from "../languages/sentences.ts";
import { JUDGE_RATE, type SecondJudge } from "./second-judge.ts";

const never = new AbortController().signal;

export const LANGUAGES = ["en", "es", "fr", "it"] as const;

/** What is spoken in a language: in English the sentences that the tests use. None has digits, which recognizers write in several ways. */
export function spokenSentences(language: string, count: number): readonly string[] {
  const all = language === "en" ? english.filter((text) => !/\d/.test(text)) : (sentences[language] ?? []);
  return all.slice(0, count);
}

export interface JudgeParts {
  readonly speech: Speech;
  readonly transcription: Transcription;
  readonly cloning: Cloning;
  readonly second: SecondJudge | undefined;
  /** How many sentences are spoken in each language. */
  readonly sentences: number;
}

/** What the two networks hear in some files of one speaker. */
export interface Heard extends SpeakerFeatures {
  readonly second: Float32Array | undefined;
}

export interface SpokenVoice extends Heard {
  readonly files: readonly string[];
  readonly errors: number;
  readonly words: number;
}

/** Speaks the sentences of a language into files of a folder, listens to them, and counts the words that are misheard. */
export async function speakAndListen(
  parts: JudgeParts,
  voice: SpeechVoice,
  language: string,
  folder: string,
): Promise<SpokenVoice> {
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  let errors = 0;
  let words = 0;
  for (const [index, text] of spokenSentences(language, parts.sentences).entries()) {
    const file = join(folder, `${language}-${index + 1}.wav`);
    writeFileSync(file, await spoken(parts.speech, text, voice, language));
    files.push(file);
    const request = { path: file, language, granularity: "segment" } as const;
    const counted = wordErrors(text, (await parts.transcription.transcribe(request, never)).text);
    errors += counted.errors;
    words += counted.words;
  }
  return { ...(await listen(parts, files)), files, errors, words };
}

export async function listen({ cloning, second }: JudgeParts, files: readonly string[]): Promise<Heard> {
  const { recordings } = await cloning.create({ recordings: files, enhance: false, keepSpeech: false }, never);
  const features = meanFeatures(recordings.map((each) => ({ ...each, weight: each.speechSeconds })));
  return { ...features, second: second && (await meanVector(second, files)) };
}

async function meanVector(judge: SecondJudge, files: readonly string[]): Promise<Float32Array> {
  const vectors: Float32Array[] = [];
  for (const file of files) {
    const { sampleRate, samples } = decodeAudio(readFileSync(file));
    const resampler = createResampler(sampleRate, JUDGE_RATE);
    vectors.push(await judge.vectorOf(concatSamples([resampler.push(samples), resampler.flush()])));
  }
  return unit(
    Float32Array.from(vectors[0] ?? [], (_, i) => vectors.reduce((sum, vector) => sum + (vector[i] ?? 0), 0)),
  );
}

async function spoken(speech: Speech, text: string, voice: SpeechVoice, language: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const output = { format: "wav", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
  const request = defaultRequest(text, voice, { output, language, latency: "normal", seed: 4711 });
  for await (const part of speech.speak(request, never)) parts.push(part.bytes);
  return Buffer.concat(parts);
}
