/** The model as other servers use it: a whole sentence in, its whole audio out. */
import { createModelStore, defaultModelsDirectory } from "@parlance/speech";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { piperTokens } from "../packages/speech/src/engines/piper/piper.ts";
import { loadEspeak } from "../packages/speech/src/g2p/espeak.ts";
import { createPronouncer } from "../packages/speech/src/g2p/pronounce.ts";
import { planChunks } from "../packages/speech/src/text/index.ts";

const sampleRate = 22_050;

export interface BareRun {
  /** Until the first sentence is complete, which is when its first sample could be sent. */
  readonly firstAudioMs: number;
  readonly totalMs: number;
  readonly audioSeconds: number;
}

export async function loadBareModel() {
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  const session = await InferenceSession.create(models.path("piper-libritts", "model.onnx"));
  const alphabet = models.path("piper-libritts", "tokens.txt");
  const pronounce = createPronouncer(await loadEspeak());

  return {
    async speak(text: string): Promise<BareRun> {
      const start = performance.now();
      let firstAudioMs = 0;
      let samples = 0;
      // Sentences, because those servers split their texts the same way.
      const sentences = planChunks(text, {
        latency: "normal",
        chunkLength: 300,
        minChunkLength: 0,
        normalize: true,
        languageOf: () => "en-us",
      });
      for (const sentence of sentences) {
        const tokens = await piperTokens(alphabet, pronounce(sentence.words, "en-us"));
        const ids = BigInt64Array.from(tokens, (token) => BigInt(token.id));
        const { output } = await session.run({
          input: new Tensor("int64", ids, [1, ids.length]),
          input_lengths: new Tensor("int64", BigInt64Array.of(BigInt(ids.length)), [1]),
          scales: new Tensor("float32", [0.333, 1, 0.333], [3]),
          sid: new Tensor("int64", BigInt64Array.of(0n), [1]),
        });
        samples += output?.data.length ?? 0;
        firstAudioMs ||= performance.now() - start;
      }
      return { firstAudioMs, totalMs: performance.now() - start, audioSeconds: samples / sampleRate };
    },
    close: () => session.release(),
  };
}
