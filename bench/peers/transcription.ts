import { createTranscription } from "@parlance/speech";
import { wordErrors } from "../../packages/speech/src/testing/word-errors.ts";
import { loadRecordings, sampleRate } from "../asr-recordings.ts";
import { median, round } from "../statistics.ts";
import { startPeer } from "./start-peer.ts";

const never = new AbortController().signal;

/** Whisper base by transformers.js against this project's, and against the recognizer that it uses for English. */
export async function compareTranscription(packages: string, rounds: number) {
  const { models, recordings } = await loadRecordings();
  const transcription = await createTranscription({ models, workers: 1 });
  const peer = await startPeer("transformers.js", packages);
  const own = (engine: "whisper" | "moonshine") => async (path: string) =>
    (await transcription.transcribe({ path, granularity: "segment", language: "en", engine }, never)).text;
  const samplesOf = new Map(recordings.map(({ path, samples }) => [path, samples]));
  const ways = {
    "whisper, this project": own("whisper"),
    "moonshine, this project": own("moonshine"),
    "whisper, transformers.js": async (path: string) =>
      (await peer.transcribe(samplesOf.get(path) ?? new Float32Array())).text,
  };
  const rows: Record<string, Record<string, number>> = {};
  try {
    for (const recognize of Object.values(ways)) await recognize(recordings[0]?.path ?? "");
    const seconds = recordings.reduce((sum, { samples }) => sum + samples.length / sampleRate, 0);
    for (const [name, recognize] of Object.entries(ways)) {
      const took: number[] = [];
      const found = { errors: 0, words: 0 };
      for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        for (const { path, text } of recordings) {
          const { errors, words } = wordErrors(text, await recognize(path));
          found.errors += errors;
          found.words += words;
        }
        took.push((performance.now() - start) / 1000);
      }
      rows[name] = {
        RTF: round(median(took) / seconds, 3),
        "WER %": round((100 * found.errors) / found.words, 1),
      };
    }
  } finally {
    await Promise.all([transcription.close(), peer.close()]);
  }
  console.log(`\n${recordings.length} recordings`);
  console.table(rows);
  return rows;
}
