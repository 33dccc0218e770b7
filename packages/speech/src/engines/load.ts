import { loadEspeak } from "../g2p/espeak.ts";
import { createPronouncer } from "../g2p/pronounce.ts";
import type { Engine } from "./engine.ts";
import { type KokoroFiles, loadKokoro } from "./kokoro/kokoro.ts";
import type { KokoroQuality } from "./kokoro/voicing.ts";
import { loadPiper, type PiperFiles } from "./piper/piper.ts";

/** Which engine a worker process is to load, and from which files. */
export type EngineSpec = { readonly threads: number } & (
  | { readonly engine: "piper"; readonly files: PiperFiles }
  | { readonly engine: "kokoro"; readonly files: KokoroFiles; readonly quality: KokoroQuality }
);

export async function loadEngine(spec: EngineSpec): Promise<Engine> {
  const pronounce = createPronouncer(await loadEspeak());
  switch (spec.engine) {
    case "piper":
      return loadPiper(spec.files, pronounce, spec.threads);
    case "kokoro":
      return loadKokoro(spec.files, spec.quality, pronounce, spec.threads);
  }
}
