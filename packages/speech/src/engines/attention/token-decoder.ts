import { readFile } from "node:fs/promises";
import { Tensor } from "onnxruntime-node";
import { lazy } from "../../lib/lazy.ts";
import { floats, floatsOf, type InferenceSession, integers, openSession } from "../session.ts";
import {
  type DecoderDescription,
  type GraphConstant,
  promptStage,
  splitDecoder,
  tensorNames,
} from "./decoder-stages.ts";

/** An autoregressive decoder over the output of a speech encoder. */
export interface TokenDecoder {
  /** Starts on the output of the encoder: [1, frames, width]. The tokens of `before` are as if `next` had taken them. */
  start(encoded: Tensor, before?: readonly number[]): Promise<DecodingSession>;
  close(): Promise<void>;
}

export interface DecodingSession {
  /** Appends a token. Returns the scores of the token that follows, and the attention to the audio. */
  next(token: number): Promise<TokenStep>;
}

export interface TokenStep {
  /** One for each entry of the vocabulary: unnormalized log probabilities. */
  readonly scores: Float32Array;
  /** For each of `attentionLayers`: heads × frames. */
  readonly attention: readonly Float32Array[];
}

export async function loadTokenDecoder(
  path: string,
  about: DecoderDescription,
  threads: number,
): Promise<TokenDecoder> {
  const stages = splitDecoder(await readFile(path), about);
  const cross = await openSession(stages.cross, threads, { keepMemory: false });
  const step = await openSession(stages.step, threads, { keepMemory: false });
  // Most recordings come without a prompt.
  const prompt = lazy(async () =>
    openSession(promptStage(await readFile(path), about), threads, { keepMemory: false }),
  );
  let hasPrompt = false;
  async function stateAfter(tokens: readonly number[], encoded: Tensor): Promise<Cache> {
    if (tokens.length === 0) return emptyCache(about);
    hasPrompt = true;
    const inputs = { [tensorNames.token]: integers(tokens, 1, tokens.length), [tensorNames.audio]: encoded };
    return updatedCache(about, await (await prompt()).run(inputs));
  }
  return {
    async start(encoded, before = []) {
      const frames = encoded.dims[1] ?? 0;
      const state = await stateAfter(before, encoded);
      let cache = { ...(await crossCache(cross, about, encoded)), ...state, ...constants(about, frames) };
      return {
        async next(token) {
          const outputs = await step.run({ ...cache, [tensorNames.token]: integers([token], 1, 1) });
          cache = { ...cache, ...updatedCache(about, outputs) };
          return {
            scores: floatsOf(outputs, tensorNames.scores),
            attention: about.attentionLayers.map((layer) => floatsOf(outputs, about.attention(layer))),
          };
        },
      };
    },
    async close() {
      await Promise.all([cross.release(), step.release(), hasPrompt && (await prompt()).release()]);
    },
  };
}

type Cache = Readonly<Record<string, Tensor>>;

async function crossCache(cross: InferenceSession, about: DecoderDescription, encoded: Tensor): Promise<Cache> {
  const inputs = eachLayer(about, (layer) => about.crossConstants(layer).map(tensorOf));
  const outputs = await cross.run({ [tensorNames.audio]: encoded, ...inputs });
  return eachLayer(about, (layer) => [
    [about.keys.input(layer), tensorIn(outputs, about.keys.output(layer))],
    [tensorNames.inputValue(layer), tensorIn(outputs, tensorNames.outputValue(layer))],
  ]);
}

function emptyCache(about: DecoderDescription): Cache {
  const empty = () => floats(new Float32Array(0), 1, about.heads, 0, about.headWidth);
  return eachLayer(about, (layer) => [
    [tensorNames.pastSelf(layer, "key"), empty()],
    [tensorNames.pastSelf(layer, "value"), empty()],
  ]);
}

function updatedCache(about: DecoderDescription, outputs: InferenceSession.OnnxValueMapType): Cache {
  return eachLayer(about, (layer) => [
    [tensorNames.pastSelf(layer, "key"), tensorIn(outputs, tensorNames.nextSelf(layer, "key"))],
    [tensorNames.pastSelf(layer, "value"), tensorIn(outputs, tensorNames.nextSelf(layer, "value"))],
  ]);
}

function constants(about: DecoderDescription, frames: number): Cache {
  return eachLayer(about, (layer) => about.stepConstants(layer, frames).map(tensorOf));
}

function eachLayer(about: DecoderDescription, entries: (layer: number) => (readonly [string, Tensor])[]): Cache {
  const layers = Array.from({ length: about.layers }, (_, layer) => entries(layer));
  return Object.fromEntries(layers.flat());
}

function tensorOf({ name, type, value }: GraphConstant): readonly [string, Tensor] {
  return [name, type === "int64" ? integers([value]) : floats(Float32Array.of(value))];
}

function tensorIn(outputs: InferenceSession.OnnxValueMapType, name: string): Tensor {
  const value = outputs[name];
  if (!(value instanceof Tensor)) throw new Error(`the decoder has no output "${name}"`);
  return value;
}
