import { readFileSync } from "node:fs";
import type { ModelStore } from "@parlance/speech";
import { whisper } from "../../packages/speech/src/engines/whisper/descriptor.ts";
import { loadWhisper } from "../../packages/speech/src/engines/whisper/whisper.ts";
import { decodeAudio } from "../../packages/speech/src/testing/decode-audio.ts";
import { resampled } from "../kokoro/recognition.ts";

const never = new AbortController().signal;

/** A recognizer beside those of the service: Whisper small, in all languages. */
export interface SecondRecognizer {
  transcribe(file: string, language: string): Promise<string>;
  close(): Promise<void>;
}

export async function loadSecondRecognizer(models: ModelStore): Promise<SecondRecognizer> {
  const recognizer = await loadWhisper(whisper.locate(models, "small"), 2);
  return {
    async transcribe(file, language) {
      const { sampleRate, samples } = decodeAudio(readFileSync(file));
      const audio = resampled(samples, sampleRate, recognizer.sampleRate);
      return (await recognizer.transcribe(audio, never, language)).text;
    },
    close: () => recognizer.close(),
  };
}
