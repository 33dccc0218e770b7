import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createModelStore } from "../../packages/speech/src/catalog/manifest.ts";
import { defaultModelsDirectory } from "../../packages/speech/src/models/layout.ts";
import type { OpenPeer } from "./peer.ts";

interface TextStream {
  push(text: string): void;
  close(): void;
}

interface KokoroJs {
  readonly TextSplitterStream: new () => TextStream;
  readonly KokoroTTS: {
    from_pretrained(
      model: string,
      options: { readonly dtype: "q8"; readonly device: "cpu" },
    ): Promise<{
      stream(
        text: TextStream,
        options: { readonly voice: string },
      ): AsyncIterable<{ readonly audio: { readonly audio: Float32Array; readonly sampling_rate: number } }>;
    }>;
  };
}

interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
}

/** kokoro-js with the weights of this project, sentence by sentence, as its own streaming function does it. */
export const openPeer: OpenPeer = async (packages) => {
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  const folder = join(packages, "models", "kokoro");
  await mkdir(join(folder, "onnx"), { recursive: true });
  await copyFile(models.path("kokoro-q8", "tokenizer.json"), join(folder, "tokenizer.json"));
  await writeFile(join(folder, "config.json"), JSON.stringify({ model_type: "style_text_to_speech_2" }));
  await writeFile(join(folder, "tokenizer_config.json"), JSON.stringify({ tokenizer_class: "PreTrainedTokenizer" }));
  await symlink(models.path("kokoro-q8", "model.onnx"), join(folder, "onnx/model_quantized.onnx")).catch(() => {});
  const load = (path: string) => import(join(packages, "node_modules", path));
  const { env }: Transformers = await load("@huggingface/transformers/dist/transformers.node.mjs");
  env.allowRemoteModels = false;
  env.localModelPath = join(packages, "models");
  const { KokoroTTS, TextSplitterStream }: KokoroJs = await load("kokoro-js/dist/kokoro.js");
  const tts = await KokoroTTS.from_pretrained("kokoro", { dtype: "q8", device: "cpu" });
  return {
    async speak(text) {
      const start = performance.now();
      let firstAudioMs = 0;
      let audioSeconds = 0;
      const parts = new TextSplitterStream();
      parts.push(text);
      parts.close();
      for await (const { audio } of tts.stream(parts, { voice: "af_heart" })) {
        firstAudioMs ||= performance.now() - start;
        audioSeconds += audio.audio.length / audio.sampling_rate;
      }
      return { firstAudioMs, totalMs: performance.now() - start, audioSeconds };
    },
  };
};
