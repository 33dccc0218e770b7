/** One long stream of sounds without speech, as fast as it is taken: it must not give text. */
import type { Transcription } from "@parlance/speech";
import { soundsWithoutSpeech } from "../../packages/speech/src/testing/music.ts";
import { concatSamples } from "../../packages/speech/src/testing/signals.ts";
import { LIVE_FORMAT, transcribeLive } from "../../packages/speech/src/testing/transcribe-live.ts";
import { round } from "../statistics.ts";

/** Each sound is heard loud and soft, then together with each of the others. */
const GAINS = [1, 0.3, 0.05];

export async function measureSounds(transcription: Transcription, seconds: number) {
  const began = performance.now();
  const stream: { readonly name: string; readonly samples: Float32Array }[] = [];
  let length = 0;
  for (const sound of variations(LIVE_FORMAT.sampleRate)) {
    if (length >= seconds * LIVE_FORMAT.sampleRate) break;
    stream.push(sound);
    length += sound.samples.length;
  }
  const each = (stream[0]?.samples.length ?? 1) / LIVE_FORMAT.sampleRate;
  const samples = concatSamples(stream.map((sound) => sound.samples));
  const { events, finals } = await transcribeLive(transcription, samples, { language: "en" });
  const turns = events.flatMap((event) =>
    event.type === "speech-started" ? [stream[Math.floor(event.at / each)]] : [],
  );
  const figures = {
    "audio s": round(length / LIVE_FORMAT.sampleRate),
    "taken for speech": [...new Set(turns.map((sound) => sound?.name))].join(", "),
    text: finals.map(({ text }) => text).join(" "),
    "played in s": round((performance.now() - began) / 1000),
  };
  console.table([figures]);
  return figures;
}

function* variations(sampleRate: number): Generator<{ readonly name: string; readonly samples: Float32Array }> {
  const sounds = Object.entries(soundsWithoutSpeech(sampleRate));
  for (const gain of GAINS) {
    for (const [name, samples] of sounds) {
      yield { name: `${name} × ${gain}`, samples: samples.map((sample) => sample * gain) };
    }
  }
  for (const [index, [name, samples]] of sounds.entries()) {
    for (const [other, others] of sounds.slice(index + 1)) {
      yield { name: `${name} and ${other}`, samples: samples.map((sample, at) => 0.5 * (sample + (others[at] ?? 0))) };
    }
  }
}
