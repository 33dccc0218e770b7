import type { EngineVoice } from "../../../engines/engine.ts";
import type { KokoroFiles } from "../../../engines/kokoro/files.ts";
import { loadKokoroProsody } from "../../../engines/kokoro/prosody-source.ts";
import type { Prosody } from "../../../engines/kokoro/student/shape.ts";
import { loadEspeak } from "../../../g2p/espeak.ts";
import { createPronouncer } from "../../../g2p/pronounce.ts";
import { planChunks } from "../../../text/chunks.ts";

const LANGUAGE = "en-us";
const CHUNKS = {
  languageOf: () => LANGUAGE,
  normalize: true,
  latency: "normal",
  chunkLength: 300,
  minChunkLength: 0,
} as const;

/** How a voice speaks texts, before the decoder: lists of texts to lists of the same lengths. */
export async function prosodiesOf(
  files: KokoroFiles,
  voice: Omit<EngineVoice, "language">,
  texts: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<Prosody[][]> {
  const source = await loadKokoroProsody(files, { pronounce: createPronouncer(await loadEspeak()), threads: 1 });
  async function prosodyOf(text: string): Promise<Prosody> {
    for (const chunk of planChunks(text, CHUNKS))
      for await (const prosody of source.prosodyOf(chunk, { ...voice, language: LANGUAGE }, signal)) return prosody;
    throw new Error("a text of the refinement has no words");
  }
  try {
    const found: Prosody[][] = [];
    for (const list of texts) {
      const prosodies: Prosody[] = [];
      for (const text of list) {
        signal.throwIfAborted();
        prosodies.push(await prosodyOf(text));
      }
      found.push(prosodies);
    }
    return found;
  } finally {
    // The encoder's memory is not needed while the voice is refined.
    await source.close();
  }
}
