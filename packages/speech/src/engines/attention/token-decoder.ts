import { Tensor } from "onnxruntime-node";
import { floats, floatsOf, type InferenceSession, integers, openSession } from "../session.ts";
import { cutDecoder, type DecoderDescription, type GivenNumber, tensorNames } from "./decoder-stages.ts";

/** Writes down, token by token, what an encoder has heard. */
export interface TokenDecoder {
  /** Begins on what the encoder gave: [1, frames, width]. */
  listen(encoded: Tensor): Promise<Listening>;
  close(): Promise<void>;
}

export interface Listening {
  /** Takes the next token in. Says how likely each token is to follow, and where in the audio it looked for that. */
  next(token: number): Promise<TokenStep>;
}

export interface TokenStep {
  /** One for each entry of the vocabulary, as logarithms that do not sum to one. */
  readonly scores: Float32Array;
  /** For each wanted layer: heads × frames. */
  readonly attention: readonly Float32Array[];
}

export async function loadTokenDecoder(
  file: Uint8Array,
  about: DecoderDescription,
  threads: number,
): Promise<TokenDecoder> {
  const stages = cutDecoder(file, about);
  const cross = await openSession(stages.cross, threads, { keepMemory: false });
  const step = await openSession(stages.step, threads, { keepMemory: false });
  return {
    async listen(encoded) {
      const frames = encoded.dims[1] ?? 0;
      let cache = { ...(await heard(cross, about, encoded)), ...nothingSaid(about), ...given(about, frames) };
      return {
        async next(token) {
          const outputs = await step.run({ ...cache, [tensorNames.token]: integers([token], 1, 1) });
          cache = { ...cache, ...said(about, outputs) };
          return {
            scores: floatsOf(outputs, tensorNames.scores),
            attention: about.attentionLayers.map((layer) => floatsOf(outputs, about.attention(layer))),
          };
        },
      };
    },
    async close() {
      await Promise.all([cross.release(), step.release()]);
    },
  };
}

type Cache = Readonly<Record<string, Tensor>>;

async function heard(cross: InferenceSession, about: DecoderDescription, encoded: Tensor): Promise<Cache> {
  const inputs = eachLayer(about, (layer) => about.crossNumbers(layer).map(tensorOf));
  const outputs = await cross.run({ [tensorNames.audio]: encoded, ...inputs });
  return eachLayer(about, (layer) => [
    [about.keys.taken(layer), tensorIn(outputs, about.keys.made(layer))],
    [tensorNames.takenValue(layer), tensorIn(outputs, tensorNames.madeValue(layer))],
  ]);
}

function nothingSaid(about: DecoderDescription): Cache {
  const empty = () => floats(new Float32Array(0), 1, about.heads, 0, about.headWidth);
  return eachLayer(about, (layer) => [
    [tensorNames.pastSelf(layer, "key"), empty()],
    [tensorNames.pastSelf(layer, "value"), empty()],
  ]);
}

function said(about: DecoderDescription, outputs: InferenceSession.OnnxValueMapType): Cache {
  return eachLayer(about, (layer) => [
    [tensorNames.pastSelf(layer, "key"), tensorIn(outputs, tensorNames.nextSelf(layer, "key"))],
    [tensorNames.pastSelf(layer, "value"), tensorIn(outputs, tensorNames.nextSelf(layer, "value"))],
  ]);
}

function given(about: DecoderDescription, frames: number): Cache {
  return eachLayer(about, (layer) => about.stepNumbers(layer, frames).map(tensorOf));
}

function eachLayer(about: DecoderDescription, entries: (layer: number) => (readonly [string, Tensor])[]): Cache {
  const layers = Array.from({ length: about.layers }, (_, layer) => entries(layer));
  return Object.fromEntries(layers.flat());
}

function tensorOf({ name, type, value }: GivenNumber): readonly [string, Tensor] {
  return [name, type === "int64" ? integers([value]) : floats(Float32Array.of(value))];
}

function tensorIn(outputs: InferenceSession.OnnxValueMapType, name: string): Tensor {
  const value = outputs[name];
  if (!(value instanceof Tensor)) throw new Error(`the decoder gave no "${name}"`);
  return value;
}
