export { Chunker, type ChunkHint, type ChunkOptions, planChunks } from "./chunks.ts";
export { MAX_CHUNK } from "./cuts.ts";
export { LONG_PAUSE_SECONDS, SHORT_PAUSE_SECONDS } from "./marks.ts";
export type { Boundary, SpeechChunk, SpokenWord } from "./types.ts";
