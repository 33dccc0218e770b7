import type { HeadChoice } from "../attention/attention-rows.ts";
import type { DecoderDescription } from "../attention/decoder-stages.ts";

/** The configuration files of a Whisper model. */
export interface WhisperSettings {
  readonly width: number;
  readonly decoder: DecoderDescription;
  /** Heads whose attention follows the audio. */
  readonly alignment: Alignment;
  readonly tokens: {
    readonly start: number;
    readonly end: number;
    readonly transcribe: number;
    readonly translate: number;
    readonly noTimes: number;
    readonly noSpeech: number;
  };
  /** Tokens by language (ISO 639-1, and a few of three letters). */
  readonly languages: ReadonlyMap<string, number>;
  /** Tokens that are never written: signs that are not spoken, and control tokens. */
  readonly suppressed: readonly number[];
  /** Tokens that are not written first. */
  readonly suppressedFirst: readonly number[];
}

interface Alignment {
  readonly heads: readonly HeadChoice[];
  /** How much later than the sound their attention is. */
  readonly delaySeconds: number;
}

/*
 * By number of layers (tiny, base, small), chosen by comparison with a forced alignment of real speech. The choice in the
 * model's own configuration has up to twice the error.
 */
const measured: Readonly<Record<number, Alignment>> = {
  4: { heads: [[2, 2], [2, 5], [3, 1], [2, 1]], delaySeconds: 0.02 }, // biome-ignore format: a table
  6: { heads: [[4, 7], [5, 6], [5, 0], [3, 3], [4, 1]], delaySeconds: 0.1 }, // biome-ignore format: a table
  12: { heads: [[9, 3], [8, 2], [5, 3], [9, 4]], delaySeconds: 0.02 }, // biome-ignore format: a table
};

interface Config {
  d_model: number;
  decoder_layers: number;
  decoder_attention_heads: number;
  vocab_size: number;
}

interface Generation {
  alignment_heads: [number, number][];
  begin_suppress_tokens: number[];
  suppress_tokens: number[];
  decoder_start_token_id: number;
  eos_token_id: number;
  lang_to_id: Record<string, number>;
  no_timestamps_token_id: number;
  task_to_id: { transcribe: number; translate: number };
}

const crossAttention = (layer: number) => `/model/decoder/layers.${layer}/encoder_attn`;

export function parseSettings(configFile: string, generationFile: string): WhisperSettings {
  const config: Config = JSON.parse(configFile);
  const generation: Generation = JSON.parse(generationFile);
  const heads = config.decoder_attention_heads;
  const headWidth = config.d_model / heads;
  const alignment = measured[config.decoder_layers] ?? { heads: generation.alignment_heads, delaySeconds: 0 };
  const layers = [...new Set(alignment.heads.map(([layer]) => layer))].sort((a, b) => a - b);
  return {
    width: config.d_model,
    decoder: {
      layers: config.decoder_layers,
      heads,
      headWidth,
      vocabulary: config.vocab_size,
      lastHidden: "/model/decoder/layer_norm/Add_1_output_0",
      keys: {
        output: (layer) => `${crossAttention(layer)}/Transpose_3_output_0`,
        input: (layer) => `${crossAttention(layer)}/Transpose_1_output_0`,
        shape: [heads, headWidth, "frames"],
      },
      crossConstants: (layer) => [{ name: `${crossAttention(layer)}/Gather_output_0`, type: "int64", value: 1 }],
      stepConstants: (layer, frames) => [
        { name: `${crossAttention(layer)}/Gather_2_output_0`, type: "int64", value: frames },
      ],
      attention: (layer) => `${crossAttention(layer)}/Softmax_output_0`,
      attentionLayers: layers,
    },
    alignment: {
      heads: alignment.heads.map(([layer, head]) => [layers.indexOf(layer), head]),
      delaySeconds: alignment.delaySeconds,
    },
    tokens: {
      start: generation.decoder_start_token_id,
      end: generation.eos_token_id,
      transcribe: generation.task_to_id.transcribe,
      translate: generation.task_to_id.translate,
      noTimes: generation.no_timestamps_token_id,
      noSpeech: generation.no_timestamps_token_id - 1,
    },
    languages: new Map(Object.entries(generation.lang_to_id).map(([mark, id]) => [mark.slice(2, -2), id])),
    suppressed: generation.suppress_tokens,
    suppressedFirst: generation.begin_suppress_tokens,
  };
}
