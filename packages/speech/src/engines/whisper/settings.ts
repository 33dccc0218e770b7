import type { HeadChoice } from "../attention/attention-rows.ts";
import type { DecoderDescription } from "../attention/decoder-stages.ts";

/** What the files beside a Whisper model say about it. */
export interface WhisperSettings {
  readonly width: number;
  readonly decoder: DecoderDescription;
  /** Heads that look where the sound is: the layer is an index into the decoder's wanted layers. */
  readonly alignment: Alignment;
  readonly tokens: {
    readonly start: number;
    readonly end: number;
    readonly transcribe: number;
    readonly noTimes: number;
    readonly noSpeech: number;
  };
  /** Tokens by language (ISO 639-1, and a few of three letters). */
  readonly languages: ReadonlyMap<string, number>;
  /** Never written: signs that are not said, and control marks. */
  readonly suppressed: readonly number[];
  /** Not written first. */
  readonly suppressedFirst: readonly number[];
}

interface Alignment {
  readonly heads: readonly HeadChoice[];
  /** By how much they look after the beginning of what sounds. */
  readonly lateSeconds: number;
}

/*
 * By number of layers (tiny, base, small): chosen by comparing each head with a forced alignment of real speech. The
 * makers' own choice is up to twice as far off at worst.
 */
const measured: Readonly<Record<number, Alignment>> = {
  4: { heads: [[2, 2], [2, 5], [3, 1], [2, 1]], lateSeconds: 0.02 }, // biome-ignore format: a table
  6: { heads: [[4, 7], [5, 6], [5, 0], [3, 3], [4, 1]], lateSeconds: 0.1 }, // biome-ignore format: a table
  12: { heads: [[9, 3], [8, 2], [5, 3], [9, 4]], lateSeconds: 0.02 }, // biome-ignore format: a table
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
  task_to_id: { transcribe: number };
}

const crossAttention = (layer: number) => `/model/decoder/layers.${layer}/encoder_attn`;

export function parseSettings(configFile: string, generationFile: string): WhisperSettings {
  const config: Config = JSON.parse(configFile);
  const generation: Generation = JSON.parse(generationFile);
  const heads = config.decoder_attention_heads;
  const headWidth = config.d_model / heads;
  const alignment = measured[config.decoder_layers] ?? { heads: generation.alignment_heads, lateSeconds: 0 };
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
        made: (layer) => `${crossAttention(layer)}/Transpose_3_output_0`,
        taken: (layer) => `${crossAttention(layer)}/Transpose_1_output_0`,
        shape: [heads, headWidth, "frames"],
      },
      crossNumbers: (layer) => [{ name: `${crossAttention(layer)}/Gather_output_0`, type: "int64", value: 1 }],
      stepNumbers: (layer, frames) => [
        { name: `${crossAttention(layer)}/Gather_2_output_0`, type: "int64", value: frames },
      ],
      attention: (layer) => `${crossAttention(layer)}/Softmax_output_0`,
      attentionLayers: layers,
    },
    alignment: {
      heads: alignment.heads.map(([layer, head]) => [layers.indexOf(layer), head]),
      lateSeconds: alignment.lateSeconds,
    },
    tokens: {
      start: generation.decoder_start_token_id,
      end: generation.eos_token_id,
      transcribe: generation.task_to_id.transcribe,
      noTimes: generation.no_timestamps_token_id,
      noSpeech: generation.no_timestamps_token_id - 1,
    },
    languages: new Map(Object.entries(generation.lang_to_id).map(([mark, id]) => [mark.slice(2, -2), id])),
    suppressed: generation.suppress_tokens,
    suppressedFirst: generation.begin_suppress_tokens,
  };
}
