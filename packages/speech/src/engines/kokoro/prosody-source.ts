import { readFile } from "node:fs/promises";
import type { Pronouncer } from "../../g2p/pronounce.ts";
import { openTogether } from "../../lib/open-together.ts";
import type { SpeechChunk } from "../../text/types.ts";
import type { EngineLoadOptions } from "../descriptor.ts";
import type { EngineVoice } from "../engine.ts";
import { readGraph } from "../onnx/read-graph.ts";
import { type PhonemeToken, tokenize } from "../tokens.ts";
import { kokoroAlphabet } from "./alphabet.ts";
import type { KokoroFiles } from "./files.ts";
import { pitchContour } from "./pitch-contour.ts";
import { createKokoroPronouncer } from "./pronounce.ts";
import { type EncodedText, type Encoder, openEncoder } from "./stages.ts";
import { createStyles } from "./styles.ts";

/** The maximum number of tokens: a style table has a row for each length of text. */
const MAX_TOKENS = 510;

/** A piece of a text as a voice speaks it: with the pitch contour and the style of the voice in the language. */
export interface EncodedPiece extends EncodedText {
  /** With the padding at both ends that the model needs. */
  readonly tokens: readonly PhonemeToken[];
}

/** Gives what a decoder needs to speak a text. */
export interface ProsodySource {
  /** A text that is longer than the input of the model has several pieces. After an abort there are no more. */
  prosodyOf(chunk: SpeechChunk, voice: EngineVoice, signal?: AbortSignal): AsyncIterable<EncodedPiece>;
  close(): Promise<void>;
}

/** Loads the encoder of the `fast` quality, without any decoder. */
export async function loadKokoroProsody(
  files: KokoroFiles,
  { pronounce, threads }: Pick<EngineLoadOptions, "pronounce" | "threads">,
): Promise<ProsodySource> {
  return openTogether(async (onFailure) => {
    const encoder = await openEncoder(await readGraph(files.model), "fast", threads);
    onFailure(encoder.close);
    return createProsodySource(files, encoder, pronounce);
  });
}

/** Closes the encoder when it is closed. */
export async function createProsodySource(
  files: Pick<KokoroFiles, "tokenizer" | "voices">,
  encoder: Encoder,
  pronounce: Pronouncer,
): Promise<ProsodySource> {
  const alphabet = kokoroAlphabet(parseVocabulary(await readFile(files.tokenizer, "utf8")));
  const pronounceWords = createKokoroPronouncer(pronounce);
  const styleOf = createStyles(files.voices);
  return {
    async *prosodyOf({ words, language }, voice, signal) {
      const spoken = tokenize(await pronounceWords(words, language), alphabet);
      const contourOf = pitchContour(voice, language);
      for (const piece of pieces(spoken)) {
        if (signal?.aborted) return;
        const tokens: readonly PhonemeToken[] = [{ id: 0, word: -1 }, ...piece, { id: 0, word: -1 }];
        const text = await encoder.encode(
          tokens.map((token) => token.id),
          await styleOf(voice, piece.length, language),
        );
        yield { ...text, pitch: contourOf(text.pitch), tokens };
      }
    },
    close: encoder.close,
  };
}

/** Splits texts that are too long at a space. */
function* pieces(tokens: readonly PhonemeToken[]): Generator<readonly PhonemeToken[]> {
  for (let start = 0; start < tokens.length; ) {
    let end = Math.min(tokens.length, start + MAX_TOKENS);
    if (end < tokens.length) {
      const space = tokens.findLastIndex((token, index) => index > start && index < end && token.word === -1);
      if (space > start) end = space + 1;
    }
    yield tokens.slice(start, end);
    start = end;
  }
}

export function parseVocabulary(file: string): ReadonlyMap<string, number> {
  const parsed: { model?: { vocab?: Record<string, number> } } = JSON.parse(file);
  if (!parsed.model?.vocab) throw new Error("the tokenizer of Kokoro has no vocabulary");
  return new Map(Object.entries(parsed.model.vocab));
}
