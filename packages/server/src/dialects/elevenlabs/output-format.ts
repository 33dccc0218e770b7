import { type AudioFormatName, apiError, describeValue, type TtsRequest } from "@parlance/protocol";

const PCM_RATES = [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const MP3 = ["22050_32", "24000_48", "44100_32", "44100_64", "44100_96", "44100_128", "44100_192"];
const OPUS = ["48000_32", "48000_64", "48000_96", "48000_128", "48000_192"];

/** `codec_rate` or `codec_rate_bitrate`, with the bit rate in kbit/s. */
export const OUTPUT_FORMATS: readonly string[] = [
  ...MP3.map((each) => `mp3_${each}`),
  ...PCM_RATES.flatMap((rate) => [`pcm_${rate}`, `wav_${rate}`]),
  ...OPUS.map((each) => `opus_${each}`),
  "ulaw_8000",
  "alaw_8000",
];
export const DEFAULT_OUTPUT_FORMAT = "mp3_44100_128";

export interface OutputFormat {
  readonly format: AudioFormatName;
  readonly sampleRate: number;
  /** The rates of encoders that have one. The native API allows fewer values. */
  readonly bitrates: Partial<Pick<TtsRequest, "mp3Bitrate" | "opusBitrate">>;
}

export function parseOutputFormat(name: string = DEFAULT_OUTPUT_FORMAT): OutputFormat {
  if (!OUTPUT_FORMATS.includes(name)) {
    throw apiError("invalid_value", {
      field: "output_format",
      value: describeValue(name),
      allowed: `it must be one of ${OUTPUT_FORMATS.join(", ")}`,
    });
  }
  const [codec = "", rate = "", bitrate = ""] = name.split("_");
  const kilobits = Number(bitrate);
  return {
    // Every codec of the list is one of ours.
    format: codec as AudioFormatName,
    sampleRate: Number(rate),
    bitrates: codec === "mp3" ? { mp3Bitrate: kilobits } : codec === "opus" ? { opusBitrate: kilobits * 1000 } : {},
  };
}
