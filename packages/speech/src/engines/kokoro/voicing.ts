import { fileURLToPath } from "node:url";
import { createHighPass } from "../../audio/high-pass.ts";
import type { Graph } from "../onnx/graph.ts";
import { openDecoder } from "./stages.ts";
import { loadStudentNetwork, studentFile } from "./student/network.ts";
import { FRAME_RATE, HOP, type Prosody } from "./student/shape.ts";
import { createStudentStream } from "./student/student.ts";

/** fast: the small network that comes with this package, in windows · full: Kokoro's own decoder, a text at a time. */
export type KokoroQuality = "fast" | "full";

/** Makes the sound of an encoded text, in pieces that each are one bounded step of work. */
export interface Voicing {
  speak(prosody: Prosody, options?: VoicingOptions): AsyncIterable<Float32Array>;
  close(): Promise<void>;
}

export interface VoicingOptions {
  /** Chooses among sounds that differ in their noise only. */
  readonly noise?: number;
  /** How much faster than it is made the sound will be played. */
  readonly speed?: number;
  /** Frames of silence that the text begins with. */
  readonly lead?: number;
}

export function openVoicing(quality: KokoroQuality, graph: Graph, threads: number): Promise<Voicing> {
  return quality === "fast" ? openFast(threads) : openFull(graph, threads);
}

/** Frames of 12.5 ms: the first window is short, so that sound comes soon; later ones grow, as their context costs. */
const FIRST_WINDOW = 24;
const GROWTH = 3;
const LARGEST_WINDOW = 192;

/** No voice goes so low, but the network has learnt some of its teacher's rumble. */
const LOWEST_HERTZ = 40;

async function openFast(threads: number): Promise<Voicing> {
  const network = await loadStudentNetwork(fileURLToPath(studentFile), threads);
  return {
    async *speak(prosody, { noise = 0, speed = 1, lead = 0 } = {}) {
      const frames = prosody.pitch.length;
      const sizes = windowSizes(frames, Math.round(FIRST_WINDOW * Math.max(1, speed)), lead);
      const stream = createStudentStream(network, prosody, { longest: Math.max(1, ...sizes), noise });
      const cutHum = createHighPass(FRAME_RATE * HOP, LOWEST_HERTZ);
      for (const size of sizes) {
        const window = await stream.next(size);
        cutHum(window);
        yield window;
      }
    },
    close: network.close,
  };
}

/**
 * The silence at the head belongs to the first window: alone it would be nothing to hear. A remainder too small for a
 * window of its own joins the one before.
 */
function windowSizes(frames: number, first: number, lead: number): number[] {
  const sizes: number[] = [];
  let size = first;
  for (let left = frames; left > 0; size = Math.min(size * GROWTH, LARGEST_WINDOW)) {
    const wanted = sizes.length === 0 ? size + lead : size;
    sizes.push(left < wanted + size / 2 ? left : wanted);
    left -= sizes.at(-1) ?? left;
  }
  return sizes;
}

async function openFull(graph: Graph, threads: number): Promise<Voicing> {
  const decoder = await openDecoder(graph, threads);
  return {
    // It draws no noise.
    async *speak(prosody) {
      yield await decoder.decode(prosody);
    },
    close: decoder.close,
  };
}
