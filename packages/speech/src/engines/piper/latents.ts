import { createNormalSource } from "../random.ts";
import { LATENT_SIZE, type PiperStages, type Prosody } from "./stages.ts";

/**
 * The latent frames that speech is decoded from, computed on demand. Both networks use a fixed number of frames around each
 * frame, so a block with that much context is the same as in one pass: streaming does not change the result.
 */
export interface LatentFrames {
  readonly count: number;
  /** Frames start … end as columns, [LATENT_SIZE, end − start]. Requested in rising order. */
  take(start: number, end: number): Promise<Float32Array>;
}

/** Frames of context on each side: four coupling layers of four convolutions of width 5. */
const FLOW_CONTEXT = 32;
/** The first block is short for a fast start; later ones are long, to spend less on context. */
const FLOW_BLOCK = 256;

export function createLatents(
  stages: PiperStages,
  prosody: Prosody,
  framesOfToken: readonly number[],
  speaker: Float32Array,
  noise: { readonly scale: number; readonly seed: number },
): LatentFrames {
  const tokenOfFrame = framesOfToken.flatMap((frames, token) => new Array<number>(frames).fill(token));
  const count = tokenOfFrame.length;
  const tokens = framesOfToken.length;
  const normal = createNormalSource(noise.seed);
  // Frame-major, so that both grow at their end.
  const prior = new Float32Array(count * LATENT_SIZE);
  const flowed = new Float32Array(count * LATENT_SIZE);
  let priorEnd = 0;
  let flowEnd = 0;

  function drawPrior(end: number): void {
    for (; priorEnd < end; priorEnd++) {
      const token = tokenOfFrame[priorEnd] ?? 0;
      for (let channel = 0; channel < LATENT_SIZE; channel++) {
        const at = channel * tokens + token;
        const deviation = Math.exp(prosody.logDeviation[at] ?? 0);
        prior[priorEnd * LATENT_SIZE + channel] = (prosody.mean[at] ?? 0) + normal() * deviation * noise.scale;
      }
    }
  }

  async function extendFlow(end: number): Promise<void> {
    const from = Math.max(0, flowEnd - FLOW_CONTEXT);
    const to = Math.min(count, end + FLOW_CONTEXT);
    drawPrior(to);
    const result = await stages.flow(columns(prior, from, to), to - from, speaker);
    for (let frame = flowEnd; frame < end; frame++) {
      for (let channel = 0; channel < LATENT_SIZE; channel++) {
        flowed[frame * LATENT_SIZE + channel] = result[channel * (to - from) + frame - from] ?? 0;
      }
    }
    flowEnd = end;
  }

  return {
    count,
    async take(start, end) {
      while (flowEnd < end) await extendFlow(flowEnd === 0 ? end : Math.min(count, flowEnd + FLOW_BLOCK));
      return columns(flowed, start, end);
    },
  };
}

function columns(frames: Float32Array, start: number, end: number): Float32Array {
  const width = end - start;
  const result = new Float32Array(LATENT_SIZE * width);
  for (let frame = 0; frame < width; frame++) {
    for (let channel = 0; channel < LATENT_SIZE; channel++) {
      result[channel * width + frame] = frames[(start + frame) * LATENT_SIZE + channel] ?? 0;
    }
  }
  return result;
}
