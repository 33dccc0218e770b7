import type { SpeechChunk } from "../text/types.ts";

/** A chunk of plain words, as the text side would make it. */
export function chunkOf(text: string, language = "en-us"): SpeechChunk {
  const words = [...text.matchAll(/([\p{L}\p{M}'’-]+)([,.;:!?—…]?)/gu)].map((match) => ({
    text: match[1] ?? "",
    from: match.index,
    to: match.index + (match[1] ?? "").length,
    after: match[2] ?? "",
  }));
  return { words, from: 0, to: text.length, text, speaker: 0, language, boundary: "sentence", pauseAfter: 0 };
}
