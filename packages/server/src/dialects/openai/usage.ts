import { countCharacters } from "@parlance/protocol";

/** Tokens that OpenAI's models make of a second of speech. */
const SPOKEN_TOKENS_PER_SECOND = 20;
const HEARD_TOKENS_PER_SECOND = 10;

/** Estimates for clients that show them: nothing here is counted in tokens. Text counts by the character. */
export function speechUsage(text: string, seconds: number) {
  return tokens(countCharacters(text), Math.ceil(seconds * SPOKEN_TOKENS_PER_SECOND));
}

export function transcriptUsage(text: string, seconds: number) {
  return { type: "tokens", ...tokens(Math.ceil(seconds * HEARD_TOKENS_PER_SECOND), countCharacters(text)) };
}

function tokens(input: number, output: number) {
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}
