import { readFile } from "node:fs/promises";
import { type DecodeOptions, openDecoder } from "../../packages/speech/src/engines/kokoro/decoders.ts";
import type { EncodedText } from "../../packages/speech/src/engines/kokoro/stages.ts";
import { parseGraph } from "../../packages/speech/src/engines/onnx/graph.ts";
import { concatSamples } from "../../packages/speech/src/testing/signals.ts";
import { kokoroFiles, openEncoders } from "./encoders.ts";
import type { Item } from "./texts.ts";

/** Kokoro with both of its decoders in this process, one stage at a time. */
export async function openBoth(threads: number) {
  const encoders = await openEncoders(threads);
  const full = parseGraph(await readFile((await kokoroFiles()).fullModel));
  const student = await openDecoder("fast", full, threads);
  const teacher = await openDecoder("full", full, threads);
  return {
    ...encoders,
    /** In the windows in which it is streamed. */
    async student(text: EncodedText, options?: DecodeOptions): Promise<Float32Array[]> {
      const windows: Float32Array[] = [];
      for await (const window of student.decode(text, options)) windows.push(window);
      return windows;
    },
    async teacher(text: EncodedText): Promise<Float32Array> {
      const parts: Float32Array[] = [];
      for await (const part of teacher.decode(text)) parts.push(part);
      return concatSamples(parts);
    },
    async close() {
      await Promise.all([encoders, student, teacher].map((each) => each.close()));
    },
  };
}

export type Both = Awaited<ReturnType<typeof openBoth>>;

export interface Pair {
  readonly item: Item;
  readonly teacher: Float32Array;
  readonly student: Float32Array;
  /** Where windows of the student meet, as samples. */
  readonly boundaries: readonly number[];
}

/** Both decoders on the same encoder's output. */
export async function makePair(both: Both, item: Item): Promise<Pair> {
  const text = await both.encode(item);
  const windows = await both.student(text);
  let end = 0;
  const boundaries = windows.slice(0, -1).map((window) => {
    end += window.length;
    return end;
  });
  return { item, teacher: await both.teacher(text), student: concatSamples(windows), boundaries };
}
