import { type FileSource, type Model, type ModelFile, member } from "../../models/model.ts";

const tarball = { name: "@usefulsensors/moonshine-js", version: "0.1.16", bytes: 66_841_492 };
const llamaTokenizer = { name: "llama-tokenizer-js", version: "1.2.2", bytes: 388_950 };

const tokensBytes = 242_918;
const tokensLengthInBase64 = 323_892;

/** The vocabulary is a base64 string in a script. Its bytes are extracted; the script is never run. */
function tokensAt(from: typeof tarball, script: string, start: number): FileSource {
  const range = { start, end: start + tokensLengthInBase64 };
  return { kind: "npm", pieces: [{ tarball: from, member: script, range, encoding: "base64", bytes: tokensBytes }] };
}

/** 32 000 tokens, one a line, the line number is the id. Ids from 32 000 on are control marks that are not text. */
const tokens: ModelFile = {
  name: "tokens.txt",
  bytes: tokensBytes,
  sha256: "0f97b4337921e6e7e9b4620fc73338ee570aecd3c16038bc23870a887e995045",
  sources: [
    tokensAt(tarball, "package/dist/moonshine.min.js", 402_267),
    tokensAt(llamaTokenizer, "package/llama-tokenizer.js", 25_738),
  ],
};

function weights(size: "base" | "tiny", revision: string, name: string, bytes: number, sha256: string): ModelFile {
  const hub = `https://huggingface.co/onnx-community/moonshine-${size}-ONNX/resolve/${revision}/onnx`;
  return {
    name: `${name}.onnx`,
    bytes,
    sha256,
    sources: [
      member(tarball, `package/dist/model/${size}/quantized/${name}.onnx`, bytes),
      { kind: "url", url: `${hub}/${name}_quantized.onnx` },
    ],
  };
}

const rights = {
  licence: "MIT",
  attribution:
    "Moonshine, copyright Useful Sensors (Moonshine AI); vocabulary as packaged by llama-tokenizer-js, copyright belladore.ai",
  homepage: "https://github.com/moonshine-ai/moonshine",
};

const baseRevision = "b1e9b6aae3c3c7298f10c3798393fdf38e8fbbad";
const tinyRevision = "a6da1241cd305dcd64eab1edbd615f2bb9aabb95";

export const moonshineBase: Model = {
  id: "moonshine-base",
  title: "Moonshine base (q8)",
  purpose: "Speech to text, English",
  sets: ["default"],
  files: [
    weights(
      "base",
      baseRevision,
      "encoder_model",
      20_513_063,
      "1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751",
    ),
    weights(
      "base",
      baseRevision,
      "decoder_model_merged",
      42_498_870,
      "cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3",
    ),
    tokens,
  ],
  ...rights,
};

export const moonshineTiny: Model = {
  id: "moonshine-tiny",
  title: "Moonshine tiny (q8)",
  purpose: "Speech to text, English, for small machines",
  sets: [],
  files: [
    weights(
      "tiny",
      tinyRevision,
      "encoder_model",
      7_937_661,
      "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a",
    ),
    weights(
      "tiny",
      tinyRevision,
      "decoder_model_merged",
      20_243_286,
      "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367",
    ),
    tokens,
  ],
  ...rights,
};
