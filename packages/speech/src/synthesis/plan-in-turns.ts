import { monotonicTime, noSpan, type Span } from "../lib/tracing.ts";
import { takeTurn } from "../lib/turns.ts";
import { Chunker, type ChunkOptions, type SpeechChunk } from "../text/index.ts";
import { charactersOf } from "./chunk-trace.ts";

/**
 * The chunks of a whole text, with a span for each. Every step of the reading has a turn of the event loop of its own, because
 * a text may need many of them before its first chunk.
 */
export async function* planInTurns(
  text: string,
  options: ChunkOptions,
  signal: AbortSignal,
  trace: Span = noSpan,
): AsyncGenerator<SpeechChunk> {
  const chunker = new Chunker(options);
  chunker.push(text);
  chunker.finish();
  for (let index = 0; ; index++) {
    const from = monotonicTime();
    let chunk: ReturnType<typeof chunker.step>;
    do {
      await takeTurn();
      signal.throwIfAborted();
      chunk = chunker.step();
    } while (chunk === "unfinished");
    if (chunk === undefined) return;
    trace.child("text", { chunk: index, characters: charactersOf(chunk) }, from).end();
    yield chunk;
  }
}
