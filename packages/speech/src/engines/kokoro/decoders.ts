import { fileURLToPath } from "node:url";
import { createHighPass } from "../../audio/high-pass.ts";
import { concatSamples } from "../../lib/concat.ts";
import type { SynthesisQuality } from "../descriptor.ts";
import type { Graph } from "../onnx/graph.ts";
import { soundRange } from "./sound-range.ts";
import { openOriginalDecoder } from "./stages.ts";
import { loadStudentNetwork } from "./student/network.ts";
import { FRAME_RATE, HOP, type Prosody } from "./student/shape.ts";
import { createStudentStream } from "./student/student.ts";
import { studentFile } from "./student/student-file.ts";

/** Makes the audio of an encoded text, in windows that each are one bounded step of work. */
export interface Decoder {
  decode(prosody: Prosody, options?: DecodeOptions): AsyncIterable<Float32Array>;
  close(): Promise<void>;
}

export interface DecodeOptions {
  /** The seed of the noise. */
  readonly noise?: number;
  /** The speed at which the audio will be played. */
  readonly speed?: number;
  /** Frames of silence at the start of the text. */
  readonly lead?: number;
  /** What a refined voice adds inside the small network. Kokoro's own decoder has no use for it. */
  readonly offsets?: Float32Array | undefined;
}

/** `fast`: the small network that comes with this package, in windows. `full`: Kokoro's own decoder, a text at a time. */
export function openDecoder(quality: SynthesisQuality, graph: Graph, threads: number): Promise<Decoder> {
  return quality === "fast" ? openStudent(threads) : openFull(graph, threads);
}

/** In frames of 12.5 ms. The first window is short for a fast start; later ones grow, to spend less on context. */
const FIRST_WINDOW = 24;
const GROWTH = 3;
const LARGEST_WINDOW = 192;

/** Frames of the silence at the start of a text that are computed: sound may begin a little early. The others are zeros. */
const SPARED_LEAD = 4;

/** Frames after the last with sound that are computed: the joiner keeps 40 ms after a sound. The others are zeros. */
const SPARED_TAIL = 8;

/** Below any voice; the network has learnt some of the original decoder's rumble there. */
const LOWEST_HERTZ = 40;

export async function openStudent(threads: number): Promise<Decoder> {
  const network = await loadStudentNetwork(fileURLToPath(studentFile), threads);
  return {
    async *decode(prosody, { noise = 0, speed = 1, lead = 0, offsets } = {}) {
      const skip = Math.max(0, lead - SPARED_LEAD);
      const end = Math.max(skip, soundEnd(prosody.energy));
      const sizes = windowSizes(end - skip, Math.round(FIRST_WINDOW * Math.max(1, speed)), lead - skip);
      const stream = createStudentStream(network, prosody, { maxFrames: Math.max(1, ...sizes), noise, skip, offsets });
      const removeRumble = createHighPass(FRAME_RATE * HOP, LOWEST_HERTZ);
      const silence = (frames: number) => new Float32Array(frames * HOP);
      const before = silence(skip);
      const after = silence(prosody.pitch.length - end);
      if (sizes.length === 0) yield concatSamples([before, after]);
      for (const [index, size] of sizes.entries()) {
        const sound = await stream.next(size);
        removeRumble(sound);
        const around = [...(index === 0 ? [before] : []), sound, ...(index === sizes.length - 1 ? [after] : [])];
        yield around.length > 1 ? concatSamples(around) : sound;
      }
    },
    close: network.close,
  };
}

/** The frame after which all are silent. */
function soundEnd(energy: Float32Array): number {
  const { end } = soundRange(energy);
  return end === 0 ? 0 : Math.min(energy.length, end + SPARED_TAIL);
}

/** The first window includes the silence at the start, which alone would be inaudible. A short remainder joins the last window. */
function windowSizes(frames: number, first: number, lead: number): number[] {
  const sizes: number[] = [];
  let size = first;
  for (let left = frames; left > 0; size = Math.min(size * GROWTH, LARGEST_WINDOW)) {
    const next = sizes.length === 0 ? size + lead : size;
    sizes.push(left < next + size / 2 ? left : next);
    left -= sizes.at(-1) ?? left;
  }
  return sizes;
}

async function openFull(graph: Graph, threads: number): Promise<Decoder> {
  const decoder = await openOriginalDecoder(graph, threads);
  return {
    // It uses no noise.
    async *decode(prosody) {
      yield await decoder.decode(prosody);
    },
    close: decoder.close,
  };
}
