import type { Transcript } from "@parlance/client";
import { toSpokenText, toSrt, toVtt } from "@parlance/protocol";

export const transcriptFormats = ["txt", "json", "srt", "vtt"] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

export function isTranscriptFormat(name: string): name is TranscriptFormat {
  return (transcriptFormats as readonly string[]).includes(name);
}

export function render(transcript: Transcript, format: TranscriptFormat): string {
  const { text, duration, language, segments, speakers } = transcript;
  switch (format) {
    case "txt":
      return text === "" ? "" : `${toSpokenText(text, segments)}\n`;
    case "json":
      return `${JSON.stringify({ text, duration, language, segments, ...named(speakers) }, null, 2)}\n`;
    case "srt":
      return toSrt(segments);
    case "vtt":
      return toVtt(segments);
  }
}

/** Without the embeddings, which are not meant to be read. */
function named(speakers: Transcript["speakers"]) {
  return speakers && { speakers: speakers.map(({ speaker, seconds }) => ({ speaker, seconds })) };
}
