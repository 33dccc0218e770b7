import { fileURLToPath } from "node:url";
import { Tensor } from "onnxruntime-node";
import { openTogether } from "../../lib/open-together.ts";
import type { SynthesisQuality } from "../descriptor.ts";
import type { Graph, TensorPort } from "../onnx/graph.ts";
import { floats, floatsOf, integers, openFusedSession, openSession } from "../session.ts";
import { ASR, type Prosody } from "./student/shape.ts";
import { STYLE_SIZE } from "./style-size.ts";
import { textConvolutions } from "./text-convolutions.ts";

/** The output of the encoder, with the duration of each token in encoder frames (600 samples). */
export interface EncodedText extends Prosody {
  readonly framesOfToken: Float32Array;
}

export interface Encoder {
  encode(tokens: readonly number[], style: Float32Array): Promise<EncodedText>;
  close(): Promise<void>;
}

/** Kokoro's own decoder. It normalizes over the whole text, so it cannot work in windows. */
export interface OriginalDecoder {
  decode(prosody: Prosody): Promise<Float32Array>;
  close(): Promise<void>;
}

const float = (name: string, ...shape: (number | string)[]): TensorPort => ({ name, type: "float32", shape });
const ports = {
  tokens: { name: "input_ids", type: "int64", shape: [1, "tokens"] } as const,
  style: float("style", 1, STYLE_SIZE),
  speed: float("speed", 1),
  /** What PL-BERT gives for each token. */
  known: float("/encoder/bert_encoder/Add_output_0", 1, "tokens", ASR),
  /** What the recurrent layer before pitch and energy gives for each frame. */
  shared: float("/encoder/shared/Reshape_output_0", "frames", 1, ASR),
  framesOfToken: float("/encoder/Clip_output_0", 1, "tokens"),
  asr: float("/encoder/MatMul_1_output_0", 1, ASR, "frames"),
  pitch: float("/encoder/Reshape_output_0", 1, "half frames"),
  energy: float("/encoder/Reshape_1_output_0", 1, "half frames"),
  waveform: float("waveform", 1, "samples"),
};

/** Opens the part of the model that computes the prosody of a text. `fast`: with the networks of this package in place of some. */
export function openEncoder(graph: Graph, quality: SynthesisQuality, threads: number): Promise<Encoder> {
  return quality === "fast" ? openReader(graph, threads) : openOriginalEncoder(graph, threads);
}

// Speech is clearest at the model's own pace; other speeds are made by time stretching.
const PACE = new Tensor("float32", [1], [1]);

async function openOriginalEncoder(graph: Graph, threads: number): Promise<Encoder> {
  const session = await openSession(
    graph.cut([ports.tokens, ports.style, ports.speed], [ports.asr, ports.pitch, ports.energy, ports.framesOfToken]),
    threads,
  );
  return {
    async encode(tokens, style) {
      const result = await session.run({
        [ports.tokens.name]: integers(tokens, 1, tokens.length),
        [ports.style.name]: floats(style, 1, STYLE_SIZE),
        [ports.speed.name]: PACE,
      });
      return {
        asr: floatsOf(result, ports.asr.name),
        pitch: floatsOf(result, ports.pitch.name),
        energy: floatsOf(result, ports.energy.name),
        style,
        framesOfToken: floatsOf(result, ports.framesOfToken.name),
      };
    },
    close: () => session.release(),
  };
}

/** A network of six layers that replaces PL-BERT, which has twelve, and the pitch and energy predictors in a faster form. */
const asset = (name: string): string =>
  fileURLToPath(new URL(`../../../assets/kokoro-reader/${name}.onnx`, import.meta.url));

/** A function of its own: a closure beside the graph would keep it, and with it the model file. */
function openReaderSessions(graph: Graph, threads: number) {
  return openTogether(async (onFailure) => {
    const bert = await openFusedSession(asset("bert"), threads);
    onFailure(() => bert.release());
    const durations = await openSession(
      graph.cut(
        [ports.tokens, ports.known, ports.style, ports.speed],
        [ports.asr, ports.shared, ports.framesOfToken],
        textConvolutions(),
      ),
      // Mostly recurrent layers, whose steps are too short to share: a second thread takes half as much CPU time again for nothing.
      1,
    );
    onFailure(() => durations.release());
    return { bert, durations, predictors: await openFusedSession(asset("pitch"), threads) };
  });
}

async function openReader(graph: Graph, threads: number): Promise<Encoder> {
  const { bert, durations, predictors } = await openReaderSessions(graph, threads);
  return {
    async encode(tokens, style) {
      const ids = integers(tokens, 1, tokens.length);
      const styleTensor = floats(style, 1, STYLE_SIZE);
      const known = floatsOf(await bert.run({ input_ids: ids }), "known");
      const result = await durations.run({
        [ports.tokens.name]: ids,
        [ports.known.name]: floats(known, 1, tokens.length, ASR),
        [ports.style.name]: styleTensor,
        [ports.speed.name]: PACE,
      });
      const shared = floatsOf(result, ports.shared.name);
      const frames = floats(shared, 1, shared.length / ASR, ASR);
      const contour = await predictors.run({ shared: frames, style: styleTensor });
      return {
        asr: floatsOf(result, ports.asr.name),
        pitch: floatsOf(contour, "pitch"),
        energy: floatsOf(contour, "energy"),
        style,
        framesOfToken: floatsOf(result, ports.framesOfToken.name),
      };
    },
    async close() {
      await Promise.all([bert.release(), durations.release(), predictors.release()]);
    },
  };
}

/** Opens the part of the model that makes the audio. */
export async function openOriginalDecoder(graph: Graph, threads: number): Promise<OriginalDecoder> {
  const session = await openSession(
    graph.cut([ports.asr, ports.pitch, ports.energy, ports.style], [ports.waveform]),
    threads,
  );
  return {
    async decode({ asr, pitch, energy, style }) {
      const result = await session.run({
        [ports.asr.name]: floats(asr, 1, ASR, asr.length / ASR),
        [ports.pitch.name]: floats(pitch, 1, pitch.length),
        [ports.energy.name]: floats(energy, 1, energy.length),
        [ports.style.name]: floats(style, 1, STYLE_SIZE),
      });
      return floatsOf(result, ports.waveform.name);
    },
    close: () => session.release(),
  };
}
