import { floats, floatsOf, openSession } from "../../session.ts";
import { CONDITION, CONTEXT, FEATURES } from "./shape.ts";

/** How each frame's source and noise are to be shaped: rows of BINS numbers. */
export interface Shaping {
  readonly gainRe: Float32Array;
  readonly gainIm: Float32Array;
  readonly noiseGain: Float32Array;
  readonly freeRe: Float32Array;
  readonly freeIm: Float32Array;
}

export interface StudentNetwork {
  /** `features` are rows of FEATURES numbers, CONTEXT of them before the first frame and after the last. */
  shape(features: Float32Array, condition: Float32Array): Promise<Shaping>;
  close(): Promise<void>;
}

/** The weights come with this package; they lie beside the sources and beside the built files alike. */
export const studentFile = new URL("../../../../assets/kokoro-student/student.onnx", import.meta.url);

export async function loadStudentNetwork(model: string, threads: number): Promise<StudentNetwork> {
  const session = await openSession(model, threads);
  return {
    async shape(features, condition) {
      const rows = features.length / FEATURES;
      if (rows <= 2 * CONTEXT) throw new RangeError(`${rows} rows hold no frame: ${2 * CONTEXT} are its context`);
      const outputs = await session.run({
        features: floats(features, 1, rows, FEATURES),
        condition: floats(condition, 1, CONDITION),
      });
      return {
        gainRe: floatsOf(outputs, "gain_re"),
        gainIm: floatsOf(outputs, "gain_im"),
        noiseGain: floatsOf(outputs, "noise_gain"),
        freeRe: floatsOf(outputs, "free_re"),
        freeIm: floatsOf(outputs, "free_im"),
      };
    },
    close: () => session.release(),
  };
}
