/** Parts of Piper for training: flow and decoder as a graph, and sentences encoded by its text encoder. */
import { readFile } from "node:fs/promises";
import { parseGraph } from "../packages/speech/src/engines/onnx/graph.ts";
import { LATENT_SIZE, type PiperStages, SPEAKER_SIZE } from "../packages/speech/src/engines/piper/stages.ts";

const DURATION_NOISE = 0.333;

/** Flow and decoder: from the prior of the latent and the speaker embedding to audio. */
export async function soundHalf(model: string): Promise<Uint8Array> {
  return parseGraph(await readFile(model)).cut(
    [
      { name: "/Add_output_0", type: "float32", shape: [1, LATENT_SIZE, "frames"] },
      { name: "/Cast_2_output_0", type: "float32", shape: [1, 1, "frames"] },
      { name: "/emb_g/Gather_output_0", type: "float32", shape: [1, SPEAKER_SIZE] },
    ],
    [{ name: "output", type: "float32", shape: [1, 1, 1, "samples"] }],
  );
}

export interface RandomSources {
  readonly random: () => number;
  readonly normal: () => number;
}

/**
 * A sentence with the durations of several random speakers: tokens, takes (32-bit integers), then 32-bit floats: means
 * [192, tokens], log deviations [192, tokens], frames of each token [takes, tokens].
 */
export async function encodeTakes(
  stages: PiperStages,
  tokens: readonly number[],
  count: number,
  { random, normal }: RandomSources,
): Promise<Uint8Array> {
  const takes: Float32Array[] = [];
  let sound: Float32Array[] = [];
  for (let take = 0; take < count; take++) {
    const row = Math.floor((random() * stages.speakers.length) / SPEAKER_SIZE);
    const noise = Float32Array.from({ length: 2 * tokens.length }, () => normal() * DURATION_NOISE);
    const voice = stages.speakers.slice(row * SPEAKER_SIZE, (row + 1) * SPEAKER_SIZE);
    const { mean, logDeviation, frames } = await stages.encodeText(tokens, voice, noise);
    sound = [mean, logDeviation];
    takes.push(frames.map(Math.ceil));
  }
  return Buffer.concat([bytesOf(Int32Array.of(tokens.length, count)), ...[...sound, ...takes].map(bytesOf)]);
}

export function bytesOf(numbers: Float32Array | Int32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
