/** What things cost, in credits. A credit is one UTF-8 byte of spoken text. */
export const CREDITS_PER_TEXT_BYTE = 1;
export const CREDITS_PER_TRANSCRIBED_SECOND = 7;

const encoder = new TextEncoder();

export function creditsForText(text: string): number {
  return encoder.encode(text).length * CREDITS_PER_TEXT_BYTE;
}

/** A started second counts whole. */
export function creditsForTranscription(seconds: number): number {
  return Math.ceil(seconds) * CREDITS_PER_TRANSCRIBED_SECOND;
}
