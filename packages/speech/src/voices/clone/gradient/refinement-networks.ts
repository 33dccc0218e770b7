import { cloningEngine } from "../../../engines/registry.ts";

const assets = new URL("../../../../assets/voice-encoder/", import.meta.url);

/**
 * The files of the speaker networks that voices are refined by; the first one is that of the voice encoder. With it alone,
 * refined voices are more similar by that network only; with three of different kinds they are by others, too.
 */
export const refinementNetworks: readonly URL[] = [
  cloningEngine.cloning.speakerNetwork,
  new URL("refinement-wide.onnx", assets),
  new URL("refinement-mixed.onnx", assets),
];
