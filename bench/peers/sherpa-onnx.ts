import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createModelStore } from "../../packages/speech/src/catalog/manifest.ts";
import { defaultModelsDirectory } from "../../packages/speech/src/models/layout.ts";
import type { OpenPeer } from "./peer.ts";

interface Sherpa {
  readonly OfflineTts: new (
    config: object,
  ) => {
    readonly sampleRate: number;
    generateAsync(request: {
      readonly text: string;
      readonly sid: number;
      readonly speed: number;
      readonly onProgress: () => void;
    }): Promise<{ readonly samples: Float32Array }>;
  };
}

const PLATFORM = process.arch === "arm64" ? "aarch64" : "x86_64";
/** Where Debian's espeak-ng-data is: the package has none of its own. */
const ESPEAK_DATA = `/usr/lib/${PLATFORM}-linux-gnu/espeak-ng-data`;

/** sherpa-onnx with this project's Piper model. */
export const openPeer: OpenPeer = async (packages) => {
  if (!existsSync(ESPEAK_DATA)) throw new Error("it needs Debian's espeak-ng-data");
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  const { OfflineTts }: Sherpa = createRequire(join(packages, "package.json"))("sherpa-onnx-node");
  const vits = {
    model: models.path("piper-libritts", "model.onnx"),
    tokens: models.path("piper-libritts", "tokens.txt"),
    dataDir: ESPEAK_DATA,
  };
  const tts = new OfflineTts({ model: { vits, numThreads: 2, provider: "cpu" }, maxNumSentences: 1 });
  return {
    async speak(text) {
      const start = performance.now();
      let firstAudioMs = 0;
      const onProgress = () => {
        firstAudioMs ||= performance.now() - start;
      };
      const { samples } = await tts.generateAsync({ text, sid: 0, speed: 1, onProgress });
      return { firstAudioMs, totalMs: performance.now() - start, audioSeconds: samples.length / tts.sampleRate };
    },
  };
};
