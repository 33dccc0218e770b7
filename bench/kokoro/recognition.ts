import { createModelStore, defaultModelsDirectory } from "@parlance/speech";
import { createResampler } from "../../packages/speech/src/audio/index.ts";
import { moonshine as moonshineDescriptor } from "../../packages/speech/src/engines/moonshine/descriptor.ts";
import { loadMoonshine } from "../../packages/speech/src/engines/moonshine/moonshine.ts";
import type { Recognizer } from "../../packages/speech/src/engines/recognizer.ts";
import { whisper as whisperDescriptor } from "../../packages/speech/src/engines/whisper/descriptor.ts";
import { loadWhisper } from "../../packages/speech/src/engines/whisper/whisper.ts";
import { concatSamples } from "../../packages/speech/src/testing/signals.ts";
import { wordErrors } from "../../packages/speech/src/testing/word-errors.ts";
import { wordsOf } from "./encoders.ts";
import { RATE } from "./stft.ts";
import type { Item } from "./texts.ts";

const never = new AbortController().signal;

export const recognizers = ["moonshine", "whisper", "whisper-small"] as const;
export type RecognizerName = (typeof recognizers)[number];

export interface Recognition {
  readonly errors: number;
  readonly words: number;
  readonly text: string;
}

/** Two recognizers: Whisper always, and Moonshine for English, otherwise a larger Whisper. */
export async function openRecognizers(threads: number) {
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  const moonshine: Recognizer = await loadMoonshine(moonshineDescriptor.locate(models, "base"), threads);
  const whisper: Recognizer = await loadWhisper(whisperDescriptor.locate(models, "base"), threads);
  const larger: Recognizer = await loadWhisper(whisperDescriptor.locate(models, "small"), threads);

  async function recognize(recognizer: Recognizer, samples: Float32Array, item: Item): Promise<Recognition> {
    const audio = resampled(samples, RATE, recognizer.sampleRate);
    const { text } = await recognizer.transcribe(audio, never, item.language.slice(0, 2));
    // Normalized to spoken words: a recognizer may write digits for spoken numbers.
    const inWords = (written: string) =>
      wordsOf(written, item.language)
        .map((word) => word.text)
        .join(" ");
    return { ...wordErrors(inWords(item.text), inWords(text)), text };
  }

  return {
    async recognize(samples: Float32Array, item: Item): Promise<Partial<Record<RecognizerName, Recognition>>> {
      const byWhisper = await recognize(whisper, samples, item);
      return item.language.startsWith("en")
        ? { whisper: byWhisper, moonshine: await recognize(moonshine, samples, item) }
        : { whisper: byWhisper, "whisper-small": await recognize(larger, samples, item) };
    },
    close: () => Promise.all([moonshine.close(), whisper.close(), larger.close()]),
  };
}

export function resampled(samples: Float32Array, from: number, to: number): Float32Array {
  const resampler = createResampler(from, to);
  try {
    return concatSamples([resampler.push(samples), resampler.flush()]);
  } finally {
    resampler.close();
  }
}
