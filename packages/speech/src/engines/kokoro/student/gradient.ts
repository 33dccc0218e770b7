import { fuseNodes } from "../../onnx/fuse.ts";
import { withGradient } from "../../onnx/gradient/gradient.ts";
import { normalizeRows } from "../../onnx/row-patterns.ts";
import { MODULATION, OUTPUTS, withOffsets } from "./offsets.ts";

/** The network with offsets, and its gradient by everything that depends on the voice. */
export function withVoiceGradient(file: Uint8Array): Uint8Array {
  const model = withGradient(withOffsets(file), { of: OUTPUTS, by: ["condition", ...MODULATION] });
  return fuseNodes(model, [normalizeRows]);
}
