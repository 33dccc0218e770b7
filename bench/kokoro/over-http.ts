import { startBenchServer } from "../server-handle.ts";
import { streamSpeech } from "../speech-client.ts";
import { median, round } from "../statistics.ts";

const sentences = [
  "The harbour was quiet, and the last of the boats had come in before the wind turned to the north.",
  "Nobody on the quay remembered a colder morning, though the old men said that they did.",
  "By noon the ice had reached the second bridge, and the children were told to stay away from the edge.",
  "A letter came from the capital, which promised grain, blankets and two more engines before the end of the week.",
];
const ofLength = (characters: number) => {
  const text = sentences.join(" ").repeat(4).slice(0, characters);
  return `${text.slice(0, text.lastIndexOf(" ")).replace(/[,.]$/, "")}.`;
};
const texts: Readonly<Record<string, string>> = {
  "20 characters": "Good morning, friend.",
  "a clause of 40": "The harbour was quiet in the early hours.",
  "160 characters": ofLength(160),
  "1000 characters": ofLength(1000),
};

/** The teacher is hardly faster than real time, so it gets fewer requests. */
const plans = {
  fast: { runs: 7, streams: [1, 2, 4, 8], warm: 3 },
  full: { runs: 1, streams: [1, 2], warm: 1 },
} as const;

/** Time to first audio and streams ahead of playback, of the service with either decoder. */
export async function benchService(quality: "fast" | "full") {
  const { runs, streams, warm } = plans[quality];
  const server = await startBenchServer({ speech: "kokoro", kokoroQuality: quality });
  const speak = (text: string) => streamSpeech(server.url, server.key, text, "kokoro");
  const lengths: Record<string, Record<string, number>> = {};
  const concurrency: Record<string, Record<string, number>> = {};
  try {
    for (let run = 0; run < warm; run++) await speak(ofLength(100));
    for (const [name, text] of Object.entries(texts)) {
      const timings = [];
      for (let run = 0; run < runs; run++) timings.push(await speak(text));
      lengths[name] = {
        "first audio ms": round(median(timings.map((one) => one.firstAudioMs))),
        RTF: round(median(timings.map((one) => one.totalMs / 1000 / one.audioSeconds)), 3),
      };
    }
    for (const count of streams) {
      const timings = await Promise.all(Array.from({ length: count }, () => speak(ofLength(400))));
      concurrency[`${count} at once`] = {
        "ahead of playback": timings.filter((one) => one.gapsMs === 0).length,
        "first audio ms (median)": round(median(timings.map((one) => one.firstAudioMs))),
        "first audio ms (worst)": round(Math.max(...timings.map((one) => one.firstAudioMs))),
        "gaps ms (worst)": round(Math.max(...timings.map((one) => one.gapsMs))),
      };
    }
    const { workersRssMb } = await server.report();
    console.log(`\n${quality} (workers: ${round(workersRssMb)} MB)`);
    console.table(lengths);
    console.table(concurrency);
    return { lengths, streams: concurrency, workersMb: round(workersRssMb) };
  } finally {
    await server.close();
  }
}
