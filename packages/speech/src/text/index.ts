export { Chunker, type ChunkHint, type ChunkOptions, planChunks } from "./chunks.ts";
export { MAX_CHUNK } from "./cuts.ts";
export { createLanguageFinder, type LanguageFinder } from "./detection/language-finder.ts";
export { type LatinScores, loadLatinScores } from "./detection/latin-scores.ts";
export { canBeRead } from "./detection/readable.ts";
export { LONG_PAUSE_SECONDS, SHORT_PAUSE_SECONDS } from "./marks.ts";
export { parsePronunciation, parsePronunciations } from "./pronunciations.ts";
export type { FinderOf } from "./sentence-stream.ts";
export type { Boundary, SpeechChunk, SpokenWord, Unfinished } from "./types.ts";
