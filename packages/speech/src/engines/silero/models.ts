import { type Model, member } from "../../models/model.ts";

const tarball = { name: "@ricky0123/vad-web", version: "0.0.31", bytes: 5_471_324 };
const bytes = 2_327_524;

export const sileroVad: Model = {
  id: "silero-vad",
  title: "Silero VAD v6",
  purpose: "Finds speech in a recording, so that silence and music are not transcribed",
  sets: ["default", "clone"],
  files: [
    {
      name: "model.onnx",
      bytes,
      sha256: "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3",
      sources: [
        member(tarball, "package/dist/silero_vad_v6.onnx", bytes),
        {
          kind: "url",
          url: "https://github.com/snakers4/silero-vad/raw/v6.2.1/src/silero_vad/data/silero_vad.onnx",
        },
      ],
    },
  ],
  licence: "MIT",
  attribution: "Silero VAD, copyright Silero Team",
  homepage: "https://github.com/snakers4/silero-vad",
};
