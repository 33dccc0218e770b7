import { readFile } from "node:fs/promises";
import { Tensor } from "onnxruntime-node";
import { lazy } from "../../lib/lazy.ts";
import { openTogether } from "../../lib/open-together.ts";
import { floats, floatsOf, type InferenceSession, integers, openSession } from "../session.ts";
import {
  type DecoderDescription,
  draftStage,
  type GraphConstant,
  promptStage,
  splitDecoder,
  tensorNames,
} from "./decoder-stages.ts";

/** An autoregressive decoder over the output of a speech encoder. */
export interface TokenDecoder {
  /** Starts on the output of the encoder: [1, frames, width]. The tokens of `before` are as if `next` had taken them. */
  start(encoded: Tensor, before?: readonly number[]): Promise<DecodingSession>;
  /** Takes the tokens at once, which costs much less than one after the other. */
  check(encoded: Tensor, tokens: readonly number[]): Promise<CheckedTokens>;
  /** Loads what `check` needs. */
  prepareCheck(): Promise<void>;
  close(): Promise<void>;
}

export interface CheckedTokens {
  /** What `next` would have returned for each token. */
  readonly steps: readonly TokenStep[];
  /** Continues after the first `count` tokens, as if the others had not been taken. */
  after(count: number): DecodingSession;
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
  const { cross, step } = await openTogether(async (onFailure) => {
    const stages = splitDecoder(await readFile(path), about);
    const cross = await openSession(stages.cross, threads, { keepMemory: false });
    onFailure(() => cross.release());
    return { cross, step: await openSession(stages.step, threads, { keepMemory: false, singleRows: true }) };
  });
  const stage = (cut: typeof promptStage) =>
    optional(async () => openSession(cut(await readFile(path), about), threads, { keepMemory: false }));
  // Most recordings come without a prompt, and only live audio has drafts.
  const [prompt, draft] = [stage(promptStage), stage(draftStage)];
  const promptOf = (tokens: readonly number[], encoded: Tensor) => ({
    [tensorNames.token]: integers(tokens, 1, tokens.length),
    [tensorNames.audio]: encoded,
  });
  async function stateAfter(tokens: readonly number[], encoded: Tensor): Promise<Cache> {
    if (tokens.length === 0) return emptyCache(about);
    return updatedCache(about, await (await prompt.get()).run(promptOf(tokens, encoded)));
  }
  function sessionFrom(start: Cache): DecodingSession {
    let cache = start;
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
  }
  return {
    async start(encoded, before = []) {
      const state = await stateAfter(before, encoded);
      const keys = await crossCache(cross, about, encoded);
      return sessionFrom({ ...keys, ...state, ...constants(about, framesOf(encoded)) });
    },
    async check(encoded, tokens) {
      const outputs = await (await draft.get()).run(promptOf(tokens, encoded));
      const keys = { ...crossOutputs(about, outputs), ...constants(about, framesOf(encoded)) };
      const state = updatedCache(about, outputs);
      return {
        steps: tokens.map((_, index) => stepAt(about, outputs, index, tokens.length)),
        after: (count) => sessionFrom({ ...keys, ...firstOf(state, about, count) }),
      };
    },
    async prepareCheck() {
      await draft.get();
    },
    async close() {
      await Promise.all([cross.release(), step.release(), prompt.release(), draft.release()]);
    },
  };
}

/** A session that is opened when it is first needed. */
function optional(open: () => Promise<InferenceSession>) {
  let isOpen = false;
  const session = lazy(open);
  return {
    get() {
      isOpen = true;
      return session();
    },
    async release() {
      if (isOpen) await (await session()).release();
    },
  };
}

function framesOf(encoded: Tensor): number {
  return encoded.dims[1] ?? 0;
}

/** What belongs to one of several tokens. */
function stepAt(
  about: DecoderDescription,
  outputs: InferenceSession.OnnxValueMapType,
  index: number,
  count: number,
): TokenStep {
  const start = index * about.vocabulary;
  return {
    scores: floatsOf(outputs, tensorNames.scores).subarray(start, start + about.vocabulary),
    attention: about.attentionLayers.map((layer) => rowsOf(floatsOf(outputs, about.attention(layer)), index, count)),
  };

  /** Of heads × tokens × frames: heads × frames. */
  function rowsOf(all: Float32Array, token: number, tokens: number): Float32Array {
    const frames = all.length / about.heads / tokens;
    const rows = new Float32Array(about.heads * frames);
    for (let head = 0; head < about.heads; head++) {
      const from = (head * tokens + token) * frames;
      rows.set(all.subarray(from, from + frames), head * frames);
    }
    return rows;
  }
}

/** The state after the first tokens of several. */
function firstOf(state: Cache, about: DecoderDescription, count: number): Cache {
  return Object.fromEntries(
    Object.entries(state).map(([name, tensor]) => {
      const all = tensor.data;
      const tokens = tensor.dims[2] ?? 0;
      if (!(all instanceof Float32Array) || count >= tokens) return [name, tensor];
      const first = new Float32Array(about.heads * count * about.headWidth);
      for (let head = 0; head < about.heads; head++) {
        const from = head * tokens * about.headWidth;
        first.set(all.subarray(from, from + count * about.headWidth), head * count * about.headWidth);
      }
      return [name, floats(first, 1, about.heads, count, about.headWidth)];
    }),
  );
}

type Cache = Readonly<Record<string, Tensor>>;

async function crossCache(cross: InferenceSession, about: DecoderDescription, encoded: Tensor): Promise<Cache> {
  const inputs = eachLayer(about, (layer) => about.crossConstants(layer).map(tensorOf));
  return crossOutputs(about, await cross.run({ [tensorNames.audio]: encoded, ...inputs }));
}

function crossOutputs(about: DecoderDescription, outputs: InferenceSession.OnnxValueMapType): Cache {
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
