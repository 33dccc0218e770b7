/** Fetches the models that the tests use, unless the cache has them. */
import { createModelStore, createProgressReporter, defaultModelsDirectory } from "@parlance/speech";

const store = createModelStore({ directory: defaultModelsDirectory(process.env) });
const progress = createProgressReporter(process.stderr, process.env);
try {
  await store.pull(
    ["kokoro-q8", "piper-libritts", "moonshine-base", "whisper-base", "silero-vad", "test-speech", "xvector"],
    progress,
  );
} finally {
  progress.close();
}
