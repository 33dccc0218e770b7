import { chunkOf } from "./chunks.ts";

export const long = chunkOf("The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(3));
export const short = chunkOf("Hello there.");
export const jobOf = (chunk: typeof long, ahead = 0) => ({
  chunk,
  voice: { language: "en-us", embedding: "af_heart" },
  options: { speed: 1, temperature: 0.7, seed: 1 },
  ahead,
});
