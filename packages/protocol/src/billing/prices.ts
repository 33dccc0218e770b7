/** What things cost, in credits. */
export interface Prices {
  /** Each UTF-8 byte of spoken text. */
  readonly textByte: number;
  /** Each started second of audio that is transcribed. */
  readonly transcribedSecond: number;
}

/** What holds where the operator says nothing else. */
export const DEFAULT_PRICES: Prices = { textByte: 1, transcribedSecond: 7 };

const encoder = new TextEncoder();

/** Whole credits: what is begun counts. */
export function creditsForText(text: string, prices: Prices = DEFAULT_PRICES): number {
  return Math.ceil(encoder.encode(text).length * prices.textByte);
}

/** A started second counts whole. */
export function creditsForTranscription(seconds: number, prices: Prices = DEFAULT_PRICES): number {
  return Math.ceil(Math.ceil(seconds) * prices.transcribedSecond);
}
