import type { LanguageGuess } from "../engines/recognizer.ts";
import { isReliable } from "./choose-language.ts";
import type { SpeechSpan } from "./spans.ts";
import type { Region } from "./speech-regions.ts";

/** A part of a span in which one language is spoken. */
export interface LanguageStretch {
  readonly span: SpeechSpan;
  /** ISO 639-1. */
  readonly language: string;
}

/** In less speech the language cannot be detected; the region belongs to its neighbour. */
const MIN_SECONDS = 1.5;
/** With a lower probability a region is in the language of the recording. */
const CERTAIN = 0.8;

/**
 * Splits a span where the language changes. Changes are found between regions of speech, not inside one. `detect` gets a
 * span of a single region.
 */
export async function splitByLanguage(
  span: SpeechSpan,
  usual: string,
  detect: (span: SpeechSpan) => Promise<readonly LanguageGuess[]>,
): Promise<LanguageStretch[]> {
  const languages: (string | undefined)[] = [];
  for (const region of span.regions) {
    const isLong = region.to - region.from >= MIN_SECONDS;
    languages.push(isLong ? certainLanguage(await detect(part(span, [region]))) : undefined);
  }
  return group(span, fillGaps(languages, usual));
}

function certainLanguage([first]: readonly LanguageGuess[]): string | undefined {
  return first && first.probability >= CERTAIN && isReliable(first.language) ? first.language : undefined;
}

/** A region of unknown language is in that of the region before it, or after it where there is none before. */
function fillGaps(languages: readonly (string | undefined)[], usual: string): string[] {
  let last = languages.find((language) => language !== undefined) ?? usual;
  return languages.map((language) => {
    last = language ?? last;
    return last;
  });
}

function group(span: SpeechSpan, languages: readonly string[]): LanguageStretch[] {
  const groups: { language: string; regions: Region[] }[] = [];
  span.regions.forEach((region, index) => {
    const language = languages[index] ?? "";
    const current = groups.at(-1);
    if (current?.language === language) current.regions.push(region);
    else groups.push({ language, regions: [region] });
  });
  return groups.map(({ language, regions }) => ({ language, span: part(span, regions) }));
}

/** The part of a span with these of its regions, up to the middle of the silence on either side. */
function part(span: SpeechSpan, regions: readonly Region[]): SpeechSpan {
  const [first, last] = [regions[0] ?? span, regions.at(-1) ?? span];
  const before = span.regions.findLast(({ to }) => to <= first.from);
  const after = span.regions.find(({ from }) => from >= last.to);
  return {
    ...span,
    from: before ? (before.to + first.from) / 2 : span.from,
    to: after ? (last.to + after.from) / 2 : span.to,
    regions,
  };
}
