/** Prices in credits. */
export interface Prices {
  /** Each UTF-8 byte of spoken text. */
  readonly textByte: number;
  /** Each started second of audio that is transcribed. */
  readonly transcribedSecond: number;
}

/** The defaults; operators can change them. */
export const DEFAULT_PRICES: Prices = { textByte: 1, transcribedSecond: 7 };

const encoder = new TextEncoder();

/** Rounded up to whole credits. */
export function creditsForText(text: string, prices: Prices = DEFAULT_PRICES): number {
  return Math.ceil(encoder.encode(text).length * prices.textByte);
}

/** A started second counts as a whole one. */
export function creditsForTranscription(seconds: number, prices: Prices = DEFAULT_PRICES): number {
  return Math.ceil(Math.ceil(seconds) * prices.transcribedSecond);
}
