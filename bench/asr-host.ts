/** A process that transcribes one recording and reports the longest delay of its event loop. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createModelStore, createTranscription, defaultModelsDirectory } from "@parlance/speech";

const RESOLUTION_MS = 5;

const [path = ""] = process.argv.slice(2);
const transcription = await createTranscription({
  models: createModelStore({ directory: defaultModelsDirectory(process.env) }),
});
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const start = performance.now();
const transcript = await transcription.transcribe({ path, granularity: "word" }, new AbortController().signal);
const wallSeconds = (performance.now() - start) / 1000;
delay.disable();
// The histogram includes the interval of its timer.
const longestStallMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
await transcription.close();
process.send?.({ wallSeconds, longestStallMs, words: transcript.segments.length, text: transcript.text });
process.disconnect();
