import { join } from "node:path";
import { defaultModelsDirectory } from "../../packages/speech/src/models/layout.ts";
import type { OpenPeer } from "./peer.ts";

interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(
    task: "automatic-speech-recognition",
    model: string,
    options: { readonly dtype: "q8"; readonly device: "cpu" },
  ): Promise<(samples: Float32Array, options: { readonly language: string }) => Promise<{ readonly text: string }>>;
}

/** Whisper base by transformers.js, with the weights of this project. */
export const openPeer: OpenPeer = async (packages) => {
  const library = "@huggingface/transformers/dist/transformers.node.mjs";
  const { env, pipeline }: Transformers = await import(join(packages, "node_modules", library));
  env.allowRemoteModels = false;
  env.localModelPath = defaultModelsDirectory(process.env);
  const recognize = await pipeline("automatic-speech-recognition", "whisper-base", { dtype: "q8", device: "cpu" });
  return { transcribe: async (samples) => (await recognize(samples, { language: "en" })).text };
};
