import { floats, floatsOf, openFusedSession } from "../../session.ts";
import { CONDITION, CONTEXT, FEATURES } from "./shape.ts";

/** The filter of each frame for source and noise: rows of BINS numbers. */
export interface Shaping {
  readonly gainRe: Float32Array;
  readonly gainIm: Float32Array;
  readonly noiseGain: Float32Array;
  readonly freeRe: Float32Array;
  readonly freeIm: Float32Array;
}

export interface StudentNetwork {
  /** `features` are rows of FEATURES numbers, with CONTEXT rows before the first frame and after the last. */
  shape(features: Float32Array, condition: Float32Array): Promise<Shaping>;
  close(): Promise<void>;
}

/** The weights come with this package; the path is the same from the sources and from the built files. */
export const studentFile = new URL("../../../../assets/kokoro-student/student.onnx", import.meta.url);

export async function loadStudentNetwork(model: string, threads: number): Promise<StudentNetwork> {
  const session = await openFusedSession(model, threads);
  return {
    async shape(features, condition) {
      const rows = features.length / FEATURES;
      if (rows <= 2 * CONTEXT) throw new RangeError(`${rows} rows contain no frame: ${2 * CONTEXT} are context`);
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
