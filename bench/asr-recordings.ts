/** The recordings of the tests, and longer ones made of them. */
import { readFileSync, writeFileSync } from "node:fs";
import { createModelStore, defaultModelsDirectory, type ModelStore } from "@parlance/speech";
import { decodeAudio } from "../packages/speech/src/testing/decode-audio.ts";
import { realSpeech } from "../packages/speech/src/testing/real-speech.ts";
import { concatSamples } from "../packages/speech/src/testing/signals.ts";
import { wavFile } from "../packages/speech/src/testing/wav-file.ts";

export interface Recording {
  readonly path: string;
  readonly text: string;
  readonly samples: Float32Array;
}

export const sampleRate = 16_000;

export async function loadRecordings(): Promise<{ models: ModelStore; recordings: Recording[] }> {
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  await models.pull(["moonshine-base", "whisper-base", "silero-vad", "test-speech"]);
  const recordings = realSpeech(models).map(({ path, text }) => ({
    path,
    // As recognizers write it.
    text: text.replace("mister", "mr"),
    samples: decodeAudio(readFileSync(path)).samples,
  }));
  return { models, recordings };
}

/** All recordings over and over, with pauses between them, as a wav file. */
export function writeLong(
  path: string,
  recordings: readonly Recording[],
  seconds: number,
): { seconds: number; text: string } {
  const pause = new Float32Array(0.6 * sampleRate);
  const pieces: Float32Array[] = [];
  const texts: string[] = [];
  let length = 0;
  for (let at = 0; length < seconds * sampleRate; at++) {
    const recording = recordings[at % recordings.length];
    if (!recording) break;
    pieces.push(recording.samples, pause);
    texts.push(recording.text);
    length += recording.samples.length + pause.length;
  }
  writeFileSync(path, wavFile([concatSamples(pieces)], { sampleRate }));
  return { seconds: length / sampleRate, text: texts.join(" ") };
}
