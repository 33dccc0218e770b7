import fc from "fast-check";
import { Chunker, type ChunkOptions } from "../text/chunks.ts";
import type { SpeechChunk } from "../text/types.ts";

/** The length of each piece of a text, and whether the client waits for audio. Repeated to the end of the text. */
export const anySteps = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.boolean()), {
  minLength: 1,
  maxLength: 40,
});

/** All chunks of a text that arrives in pieces. */
export function pushInPieces(
  whole: string,
  options: ChunkOptions,
  steps: readonly (readonly [number, boolean])[],
): { readonly chunks: readonly SpeechChunk[]; readonly chunker: Chunker } {
  const chunker = new Chunker(options);
  const chunks: SpeechChunk[] = [];
  const drain = (hurry: boolean): void => {
    for (let chunk = chunker.next({ hurry }); chunk !== undefined; chunk = chunker.next({ hurry })) chunks.push(chunk);
  };
  for (let at = 0, step = 0; at < whole.length; step++) {
    const [length, hurry] = steps[step % steps.length] ?? [1, false];
    chunker.push(whole.slice(at, at + length));
    at += length;
    drain(hurry);
  }
  chunker.finish();
  drain(false);
  return { chunks, chunker };
}
