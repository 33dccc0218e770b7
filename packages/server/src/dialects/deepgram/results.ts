import { type AsrResult, type AsrSegment, DEFAULT_ASR_MODEL } from "@parlance/protocol";
import type { ListenOptions } from "./listen-query.ts";

/** The recognizers report no confidence. */
const CONFIDENCE = 1;
/** A pause of this many seconds between two words ends an utterance. */
const UTTERANCE_GAP = 0.8;

/** A transcript in the shape of this dialect. */
export function toResults(result: AsrResult, options: ListenOptions, requestId: string) {
  const { text, duration, segments, language_code: language } = result;
  const numbers = speakerNumbers(result);
  const words = segments.map((segment) => withSpeaker(toWord(segment), segment, numbers));
  const alternative = {
    transcript: text,
    confidence: words.length === 0 ? 0 : CONFIDENCE,
    words,
    ...(options.paragraphs ? { paragraphs: toParagraphs(text, segments) } : {}),
  };
  const detected = options.detect_language && language !== null;
  return {
    metadata: {
      transaction_key: "deprecated",
      request_id: requestId,
      sha256: "",
      created: new Date().toISOString(),
      duration,
      channels: 1,
      models: [DEFAULT_ASR_MODEL],
      model_info: { [DEFAULT_ASR_MODEL]: { name: DEFAULT_ASR_MODEL, version: "1", arch: "parlance" } },
    },
    results: {
      channels: [
        { alternatives: [alternative], ...(detected ? { detected_language: language, language_confidence: 1 } : {}) },
      ],
      ...(options.utterances ? { utterances: toUtterances(segments, requestId, numbers) } : {}),
    },
  };
}

export function toWord({ text, start, end }: AsrSegment) {
  const plain = text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return { word: plain === "" ? text : plain, start, end, confidence: CONFIDENCE, punctuated_word: text };
}

/** Numbers from 0 for the speakers, where there are any. */
type SpeakerNumbers = ReadonlyMap<string | undefined, number>;

function speakerNumbers({ speakers = [] }: AsrResult): SpeakerNumbers {
  return new Map(speakers.map(({ speaker }, index) => [speaker, index]));
}

function withSpeaker<T extends object>(part: T, { speaker }: AsrSegment, numbers: SpeakerNumbers) {
  const number = numbers.get(speaker);
  return number === undefined ? part : { ...part, speaker: number };
}

/** A pause ends an utterance, and so does another speaker. */
function toUtterances(segments: readonly AsrSegment[], requestId: string, numbers: SpeakerNumbers) {
  const isEnd = (before: AsrSegment, next: AsrSegment): boolean =>
    next.start - before.end >= UTTERANCE_GAP || next.speaker !== before.speaker;
  return groups(segments, isEnd).map((words, index) => ({
    ...spanOf(words),
    confidence: CONFIDENCE,
    channel: 0,
    transcript: textOf(words),
    words: words.map((word) => withSpeaker(toWord(word), word, numbers)),
    ...(words[0] ? withSpeaker({}, words[0], numbers) : {}),
    id: `${requestId}-${index}`,
  }));
}

/** One paragraph, with a sentence for each mark that ends one. */
function toParagraphs(text: string, segments: readonly AsrSegment[]) {
  if (segments.length === 0) return { transcript: "", paragraphs: [] };
  const sentences = groups(segments, (before) => /[.!?。！？]["'”’)]*$/u.test(before.text));
  return {
    transcript: text,
    paragraphs: [
      {
        sentences: sentences.map((words) => ({ text: textOf(words), ...spanOf(words) })),
        num_words: segments.length,
        ...spanOf(segments),
      },
    ],
  };
}

function groups(
  segments: readonly AsrSegment[],
  isEnd: (before: AsrSegment, next: AsrSegment) => boolean,
): readonly (readonly AsrSegment[])[] {
  const found: AsrSegment[][] = [];
  let before: AsrSegment | undefined;
  for (const segment of segments) {
    const last = found.at(-1);
    if (last === undefined || before === undefined || isEnd(before, segment)) found.push([segment]);
    else last.push(segment);
    before = segment;
  }
  return found;
}

function spanOf(words: readonly AsrSegment[]) {
  return { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
}

function textOf(words: readonly AsrSegment[]): string {
  return words.map(({ text }) => text).join(" ");
}
