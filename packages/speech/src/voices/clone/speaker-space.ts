import { readFile } from "node:fs/promises";
import { SPEAKER_SIZE } from "../../engines/piper/stages.ts";

/** The directions in which speakers differ most, so that a search need not look in all 512. */
export interface SpeakerSpace {
  readonly dimensions: number;
  /** A speaker that differs from another one by so many usual differences in each direction. */
  moved(speaker: Float32Array, by: Float64Array): Float32Array;
}

/** Principal components of the table of 904 speakers, each as long as the speakers differ along it. */
export const axesFile = new URL("../../../assets/piper-speakers/axes.bin", import.meta.url);

export async function readSpeakerSpace(file: URL = axesFile): Promise<SpeakerSpace> {
  const bytes = await readFile(file);
  const axes = Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
  if (axes.length === 0 || axes.length % SPEAKER_SIZE !== 0) throw new Error(`${file.pathname} is damaged`);
  return {
    dimensions: axes.length / SPEAKER_SIZE,
    moved(speaker, by) {
      const result = Float64Array.from(speaker);
      by.forEach((step, direction) => {
        for (let i = 0; i < SPEAKER_SIZE; i++) {
          result[i] = (result[i] ?? 0) + step * (axes[direction * SPEAKER_SIZE + i] ?? 0);
        }
      });
      return Float32Array.from(result);
    },
  };
}
