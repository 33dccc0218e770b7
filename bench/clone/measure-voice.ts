import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Cloning, defaultRequest, type Speech, type SpeechVoice, type Transcription } from "@parlance/speech";
import { createResampler } from "../../packages/speech/src/audio/index.ts";
import type { VoiceDetector } from "../../packages/speech/src/engines/silero/silero.ts";
import { concatSamples } from "../../packages/speech/src/lib/concat.ts";
import { decodeAudio } from "../../packages/speech/src/testing/decode-audio.ts";
import { wordErrors } from "../../packages/speech/src/testing/word-errors.ts";
import { ANALYSIS_RATE, extractSpeech, findSpeech } from "../../packages/speech/src/voices/clone/extract-speech.ts";
import { resampledSpeech } from "../../packages/speech/src/voices/clone/read-speech.ts";
import { meanFeatures, type SpeakerFeatures } from "../../packages/speech/src/voices/clone/speaker-features.ts";
import {
  meanVectorOf,
  SPEAKER_NETWORK_RATE,
  type SpeakerNetwork,
} from "../../packages/speech/src/voices/clone/speaker-network.ts";
import { unit, sumOf as weightedSum } from "../../packages/speech/src/voices/clone/xvector/vectors.ts";
import { characterErrors } from "../languages/compare.ts";
import type { SecondRecognizer } from "./second-recognizer.ts";
import { spokenSentences } from "./spoken-sentences.ts";

const never = new AbortController().signal;

/** Recognizers divide these into words differently, or not at all: characters are counted instead. */
const COUNTED_BY_CHARACTER: ReadonlySet<string> = new Set(["hi", "ja", "zh"]);

interface SpeakerParts {
  readonly cloning: Cloning;
  readonly second: SpeakerNetwork;
  readonly detector: VoiceDetector;
}

export interface MeasuringParts extends SpeakerParts {
  readonly speech: Speech;
  readonly transcription: Transcription;
  /** Beside the one that `transcription` has for the language. */
  readonly secondRecognizer: SecondRecognizer | undefined;
  /** How many sentences are spoken in each language. */
  readonly sentences: number;
}

/** Features of one speaker by both speaker networks. */
export interface SpeakerMeasurement extends SpeakerFeatures {
  readonly second: Float32Array;
}

export interface SpokenVoice extends SpeakerMeasurement {
  readonly files: readonly string[];
  readonly misheard: Misheard;
  /** By the second recognizer. */
  readonly misheardBySecond: Misheard | undefined;
}

/** Words that were recognized wrongly; characters in languages where those are counted. */
export interface Misheard {
  readonly errors: number;
  readonly total: number;
}

/** Speaks the sentences of a language into files of a folder, measures the voice, and counts what was misheard. */
export async function speakAndMeasure(
  parts: MeasuringParts,
  voice: SpeechVoice,
  language: string,
  folder: string,
): Promise<SpokenVoice> {
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  const first: Misheard[] = [];
  const second: Misheard[] = [];
  for (const [index, text] of spokenSentences(language, parts.sentences).entries()) {
    const file = join(folder, `${language}-${index + 1}.wav`);
    writeFileSync(file, await spoken(parts.speech, text, voice, language));
    files.push(file);
    const request = { path: file, language, granularity: "segment" } as const;
    first.push(await misheard(text, (await parts.transcription.transcribe(request, never)).text, language));
    const heard = await parts.secondRecognizer?.transcribe(file, language);
    if (heard !== undefined) second.push(await misheard(text, heard, language));
  }
  return {
    ...(await measureSpeaker(parts, files)),
    files,
    misheard: sumOf(first),
    misheardBySecond: second.length === 0 ? undefined : sumOf(second),
  };
}

async function misheard(text: string, heard: string, language: string): Promise<Misheard> {
  if (COUNTED_BY_CHARACTER.has(language)) {
    const { errors, characters } = await characterErrors(text, heard, language);
    return { errors, total: characters };
  }
  const { errors, words } = wordErrors(text, heard);
  return { errors, total: words };
}

const sumOf = (counts: readonly Misheard[]): Misheard => ({
  errors: counts.reduce((sum, { errors }) => sum + errors, 0),
  total: counts.reduce((sum, { total }) => sum + total, 0),
});

export async function measureSpeaker(parts: SpeakerParts, files: readonly string[]): Promise<SpeakerMeasurement> {
  const { recordings } = await parts.cloning.create({ recordings: files, enhance: false, keepSpeech: false }, never);
  const features = meanFeatures(recordings.map((each) => ({ ...each, weight: each.speechSeconds })));
  return { ...features, second: await meanVector(parts, files) };
}

/** Of the speech alone and at one level, as the network was trained: synthetic pauses are more silent than those of any recording. */
async function meanVector({ second, detector }: SpeakerParts, files: readonly string[]): Promise<Float32Array> {
  const vectors: Float32Array[] = [];
  for (const file of files) {
    const { sampleRate, samples } = decodeAudio(readFileSync(file));
    const resampler = createResampler(sampleRate, ANALYSIS_RATE);
    const recording = concatSamples([resampler.push(samples), resampler.flush()]);
    const regions = await findSpeech(recording, detector, never);
    const speech = extractSpeech(recording, regions, recording.length / ANALYSIS_RATE);
    vectors.push(await meanVectorOf(second, resampledSpeech(speech, SPEAKER_NETWORK_RATE), never));
  }
  return unit(weightedSum(vectors.map((values) => ({ values, weight: 1 }))));
}

async function spoken(speech: Speech, text: string, voice: SpeechVoice, language: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const output = { format: "wav", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
  const request = defaultRequest(text, voice, { output, language, latency: "normal", seed: 4711 });
  for await (const part of speech.speak(request, never)) parts.push(part.bytes);
  return Buffer.concat(parts);
}
