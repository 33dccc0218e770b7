import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Cloning,
  type CustomVoice,
  cloningEngine,
  defaultRequest,
  type Speech,
  type Transcription,
} from "@parlance/speech";
import { wordErrors } from "../../packages/speech/src/testing/word-errors.ts";
import { meanFeatures } from "../../packages/speech/src/voices/clone/speaker-features.ts";
import { sentences } from "../../tests/sentences.ts";

const never = new AbortController().signal;
/** Sentences that no voice was made with. */
const SPOKEN = sentences.slice(0, 8);

export interface JudgeParts {
  readonly speech: Speech;
  readonly transcription: Transcription;
  readonly cloning: Cloning;
}

export interface SpokenClone {
  /** Whose voice it is in all sentences together. */
  readonly vector: Float32Array;
  /** In Hz. */
  readonly pitch: number | undefined;
  readonly errors: number;
  readonly words: number;
}

/** Lets a voice read some sentences, as the service does, and listens: who it is, and what was understood. */
export async function speakAndHear(
  { speech, transcription, cloning }: JudgeParts,
  custom: CustomVoice,
): Promise<SpokenClone> {
  const folder = mkdtempSync(join(tmpdir(), "parlance-bench-"));
  try {
    const files: string[] = [];
    let errors = 0;
    let words = 0;
    for (const [index, text] of SPOKEN.entries()) {
      const file = join(folder, `${index}.wav`);
      writeFileSync(file, await spoken(speech, text, custom));
      const heard = await transcription.transcribe({ path: file, language: "en", granularity: "segment" }, never);
      const counted = wordErrors(text, heard.text);
      errors += counted.errors;
      words += counted.words;
      files.push(file);
    }
    const { vector, pitch } = await whoIs(cloning, files);
    return { vector, pitch, errors, words };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Who speaks in these recordings, each counting for as long as it is. */
export async function whoIs(cloning: Cloning, recordings: readonly string[]) {
  const heard = await cloning.create({ recordings, enhance: false, keepSpeech: false }, never);
  return meanFeatures(
    heard.recordings.map(({ vector, pitch, speechSeconds }) => ({ vector, pitch, weight: speechSeconds })),
  );
}

export async function spoken(speech: Speech, text: string, custom: CustomVoice): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const output = { format: "wav", sampleRate: 24_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
  const voice = { id: "bench", engine: cloningEngine.name, custom } as const;
  const request = defaultRequest(text, voice, { output, latency: "normal", seed: 4711 });
  for await (const part of speech.speak(request, never)) parts.push(part.bytes);
  return Buffer.concat(parts);
}
