import { fileURLToPath } from "node:url";
import { DECODER_FRAMES, leadFrames } from "../../packages/speech/src/engines/kokoro/kokoro.ts";
import { loadStudentNetwork } from "../../packages/speech/src/engines/kokoro/student/network.ts";
import { createStudentStream } from "../../packages/speech/src/engines/kokoro/student/student.ts";
import { studentFile } from "../../packages/speech/src/engines/kokoro/student/student-file.ts";
import { median, round } from "../statistics.ts";
import { openBoth } from "./pairs.ts";
import { RATE } from "./stft.ts";

const item = {
  text: "The harbour was quiet, and the last of the boats had come in before the wind turned to the north.",
  voice: "af_heart",
  language: "en-us",
};
const RUNS = 7;
const TEACHER_RUNS = 2;

/** Seconds of work per second of speech, for each stage. */
export async function benchStages(threadCounts: readonly number[] = [1, 2]) {
  const rows: Record<string, Record<string, number>> = {};
  const note = (stage: string, threads: number, factor: number) => {
    rows[stage] = { ...rows[stage], [`${threads} thread${threads > 1 ? "s" : ""}`]: round(factor, 4) };
  };
  for (const threads of threadCounts) {
    const both = await openBoth(threads);
    const network = await loadStudentNetwork(fileURLToPath(studentFile), threads);
    try {
      const text = await both.encode(item);
      const seconds = (text.pitch.length * 300) / RATE;
      const factor = async (runs: number, work: () => unknown) => {
        await work();
        const times: number[] = [];
        for (let run = 0; run < runs; run++) {
          const start = performance.now();
          await work();
          times.push(performance.now() - start);
        }
        return median(times) / 1000 / seconds;
      };
      const spell = await factor(RUNS, () => both.spell(item));
      const ids = await both.spell(item);
      const encode = await factor(RUNS, () => both.encode(item, ids));
      const encodeFast = await factor(RUNS, () => both.encode(item, ids, "fast"));
      let inNetwork = 0;
      const timed = {
        ...network,
        shape: async (...input: Parameters<typeof network.shape>) => {
          const start = performance.now();
          const shaping = await network.shape(...input);
          inNetwork += performance.now() - start;
          return shaping;
        },
      };
      const whole = await factor(RUNS, async () => {
        inNetwork = 0;
        await createStudentStream(timed, text, { maxFrames: text.pitch.length }).next(text.pitch.length);
      });
      const net = inNetwork / 1000 / seconds;
      const windows = await factor(RUNS, () =>
        both.student(text, { lead: DECODER_FRAMES * leadFrames(text.framesOfToken) }),
      );
      const teacher = await factor(TEACHER_RUNS, () => both.teacher(text));
      note("text to phonemes", threads, spell);
      note("encoder", threads, encodeFast);
      note("original encoder", threads, encode);
      note("student: network, at once", threads, net);
      note("student: source, spectra, overlap", threads, whole - net);
      note("student: all, in windows", threads, windows);
      note("original decoder", threads, teacher);
      note("whole chain, fast", threads, spell + encodeFast + windows);
      note("whole chain, full", threads, spell + encode + teacher);
    } finally {
      await Promise.all([both.close(), network.close()]);
    }
  }
  console.table(rows);
  return rows;
}
