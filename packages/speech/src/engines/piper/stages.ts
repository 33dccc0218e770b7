import { openTogether } from "../../lib/open-together.ts";
import type { Graph, TensorPort } from "../onnx/graph.ts";
import { readGraph } from "../onnx/read-graph.ts";
import { floats, floatsOf, type InferenceSession, integers, openSession } from "../session.ts";

/** Numbers per speaker vector, and per frame of the latent that speech is decoded from. */
export const SPEAKER_SIZE = 512;
export const LATENT_SIZE = 192;

/** The output of the text encoder for each token: mean and log deviation of the latent, and the duration in frames. */
export interface Prosody {
  readonly mean: Float32Array;
  readonly logDeviation: Float32Array;
  readonly frames: Float32Array;
}

/** Piper's network, split into stages at its intermediate results. */
export interface PiperStages {
  readonly speakers: Float32Array;
  encodeText(tokens: readonly number[], speaker: Float32Array, durationNoise: Float32Array): Promise<Prosody>;
  /** Frames are columns: `latents` is [LATENT_SIZE, count], as is the result. */
  flow(latents: Float32Array, count: number, speaker: Float32Array): Promise<Float32Array>;
  decode(latents: Float32Array, count: number, speaker: Float32Array): Promise<Float32Array>;
  close(): Promise<void>;
}

const float = (name: string, ...shape: (number | string)[]): TensorPort => ({ name, type: "float32", shape });
const integer = (name: string, ...shape: (number | string)[]): TensorPort => ({ name, type: "int64", shape });

// The original graph looks the speaker up in a table and draws its own noise. Both are replaced by inputs, so that any
// vector is a voice and the noise follows from a seed.
const speakerPort = float("/emb_g/Gather_output_0", 1, SPEAKER_SIZE);
const ports = {
  tokens: integer("input", 1, "tokens"),
  length: integer("input_lengths", 1),
  durationNoise: float("/dp/Mul_1_output_0", 1, 2, "tokens"),
  mean: float("/enc_p/Split_output_0", 1, LATENT_SIZE, "tokens"),
  logDeviation: float("/enc_p/Split_output_1", 1, LATENT_SIZE, "tokens"),
  frames: float("/Mul_output_0", 1, 1, "tokens"),
  prior: float("/Add_output_0", 1, LATENT_SIZE, "frames"),
  mask: float("/Cast_2_output_0", 1, 1, "frames"),
  latent: float("/Mul_7_output_0", 1, LATENT_SIZE, "frames"),
  audio: float("output", 1, 1, 1, "samples"),
};

function openSessions(graph: Graph, threads: number) {
  return openTogether(async (onFailure) => {
    const open = async (inputs: TensorPort[], outputs: TensorPort[]): Promise<InferenceSession> => {
      const session = await openSession(graph.cut([...inputs, speakerPort], outputs), threads);
      onFailure(() => session.release());
      return session;
    };
    return {
      textEncoder: await open(
        [ports.tokens, ports.length, ports.durationNoise],
        [ports.mean, ports.logDeviation, ports.frames],
      ),
      flow: await open([ports.prior, ports.mask], [ports.latent]),
      decoder: await open([ports.latent], [ports.audio]),
    };
  });
}

export async function loadPiperStages(modelFile: string, threads: number): Promise<PiperStages> {
  const graph = await readGraph(modelFile);
  const speakers = graph.weights("emb_g.weight");
  const { textEncoder, flow, decoder } = await openSessions(graph, threads);
  const speakerInput = (speaker: Float32Array) => ({ [speakerPort.name]: floats(speaker, 1, SPEAKER_SIZE) });

  return {
    speakers,

    async encodeText(tokens, speaker, durationNoise) {
      const result = await textEncoder.run({
        ...speakerInput(speaker),
        [ports.tokens.name]: integers(tokens, 1, tokens.length),
        [ports.length.name]: integers([tokens.length], 1),
        [ports.durationNoise.name]: floats(durationNoise, 1, 2, tokens.length),
      });
      return {
        mean: floatsOf(result, ports.mean.name),
        logDeviation: floatsOf(result, ports.logDeviation.name),
        frames: floatsOf(result, ports.frames.name),
      };
    },

    async flow(latents, count, speaker) {
      const result = await flow.run({
        ...speakerInput(speaker),
        [ports.prior.name]: floats(latents, 1, LATENT_SIZE, count),
        [ports.mask.name]: floats(new Float32Array(count).fill(1), 1, 1, count),
      });
      return floatsOf(result, ports.latent.name);
    },

    async decode(latents, count, speaker) {
      const result = await decoder.run({
        ...speakerInput(speaker),
        [ports.latent.name]: floats(latents, 1, LATENT_SIZE, count),
      });
      return floatsOf(result, ports.audio.name);
    },

    async close() {
      await Promise.all([textEncoder.release(), flow.release(), decoder.release()]);
    },
  };
}
