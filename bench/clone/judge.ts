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
/** Sentences that are not in any reference audio. */
const SPOKEN = sentences.slice(0, 8);

export interface JudgeParts {
  readonly speech: Speech;
  readonly transcription: Transcription;
  readonly cloning: Cloning;
}

export interface SpokenClone {
  /** The x-vector of all sentences together. */
  readonly vector: Float32Array;
  /** In Hz. */
  readonly pitch: number | undefined;
  readonly errors: number;
  readonly words: number;
}

/** Speaks some sentences with a voice, then identifies the speaker and counts word errors. */
export async function speakAndEvaluate(
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
      const transcript = await transcription.transcribe({ path: file, language: "en", granularity: "segment" }, never);
      const counted = wordErrors(text, transcript.text);
      errors += counted.errors;
      words += counted.words;
      files.push(file);
    }
    const { vector, pitch } = await speakerOfRecordings(cloning, files);
    return { vector, pitch, errors, words };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Speaker features of the recordings, weighted by their length. */
export async function speakerOfRecordings(cloning: Cloning, recordings: readonly string[]) {
  const created = await cloning.create({ recordings, enhance: false, keepSpeech: false }, never);
  return meanFeatures(
    created.recordings.map(({ vector, pitch, speechSeconds }) => ({ vector, pitch, weight: speechSeconds })),
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
