import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ApiError, type Transcript } from "@parlance/client";
import { DEFAULT_ASR_MODEL, LIMITS } from "@parlance/protocol";
import { type RecognizerSize, recognizerDescriptor, recognizerNames, sizeSetting } from "@parlance/speech";
import type { Context } from "../context.ts";
import { describeError, UsageError } from "../errors.ts";
import { openModelStore, pullWithProgress, readEngineSetting } from "../models.ts";
import { openFileSink, streamSink } from "../say/sink.ts";
import { prepareWorkFolder, workFolder } from "./cache.ts";
import { localRecognizer, type RecognitionOptions, type Recognizer, serverRecognizer } from "./local-recognition.ts";
import type { TranscribeOptions } from "./options.ts";
import { openPartsFile } from "./part-store.ts";
import { parseFormats, planTasks, type Target, type Task } from "./plan.ts";
import { createTranscribeProgress } from "./progress.ts";
import { assertReachable } from "./reachable.ts";
import { openRecording } from "./recording.ts";
import { render } from "./render.ts";

export async function transcribe(
  files: readonly string[],
  options: TranscribeOptions,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const { environment, terminal } = context;
  const formats = options.format === undefined ? undefined : parseFormats(options.format);
  const tasks = planTasks(files, { formats, output: options.output, force: options.force === true });
  const recognition: RecognitionOptions = {
    language: options.language?.toLowerCase(),
    granularity: options.words === true ? "word" : "segment",
    model: options.model,
    speakers: parseSpeakers(options.speakers),
  };
  const folder = workFolder(environment);
  await prepareWorkFolder(folder);
  const recognizer = await chooseRecognizer(options, recognition, folder, context, signal);
  try {
    for (const task of tasks) {
      try {
        await perform(task, recognizer, recognition, folder, context, signal);
      } catch (error) {
        if (signal.aborted || error instanceof UsageError || failsForAll(error)) throw error;
        terminal.notify(`${terminal.style.red("parlance:")} ${task.input}: ${describeError(error, environment)}`);
        terminal.failWith(1);
      }
    }
  } finally {
    await recognizer.close();
  }
}

function parseSpeakers(given: true | string | undefined): boolean | number {
  if (given === undefined || given === true) return given === true;
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1 && count <= LIMITS.asrSpeakers.count) return count;
  throw new UsageError(`--speakers ${given}: it must be a number from 1 to ${LIMITS.asrSpeakers.count}`);
}

/** Whether every other recording would fail too. */
function failsForAll(error: unknown): boolean {
  return error instanceof ApiError && [401, 402, 403].includes(error.status);
}

async function chooseRecognizer(
  options: TranscribeOptions,
  recognition: RecognitionOptions,
  folder: string,
  { environment }: Context,
  signal: AbortSignal,
): Promise<Recognizer> {
  const url = options.server ?? (environment.PARLANCE_URL || undefined);
  if (url !== undefined && options.local !== true) {
    if (!/^https?:\/\/./.test(url)) throw new UsageError(`${url} is not the address of a server: http://host:port`);
    await assertReachable(url, signal);
    return serverRecognizer(
      url.replace(/\/+$/, ""),
      options.key ?? (environment.PARLANCE_API_KEY || undefined),
      recognition,
    );
  }
  if (options.key !== undefined) throw new UsageError("--key is for a server: name one with --server");
  const given = readEngineSetting(sizeSetting, environment);
  const local = given === "off" ? withoutSizes(recognition) : recognition;
  const size = given === "off" ? "base" : given;
  const store = openModelStore(environment);
  await pullWithProgress(store, modelsFor(local, size), environment, signal);
  return localRecognizer(store, size, folder, local);
}

/** As few models as possible: no recognizer after the first one that knows the language. */
function modelsFor({ language, model, speakers }: RecognitionOptions, size: RecognizerSize): readonly string[] {
  const candidates = (model === DEFAULT_ASR_MODEL ? recognizerNames : [model]).map(recognizerDescriptor);
  const known = candidates.findIndex(({ languages }) => language !== undefined && languages.includes(language));
  const used = known < 0 ? candidates : candidates.slice(0, known + 1);
  const speakerModels = speakers === false ? [] : ["xvector"];
  return ["silero-vad", ...speakerModels, ...used.map((recognizer) => recognizer.model(size))];
}

/** With the first recognizer that the setting does not turn off. */
function withoutSizes(recognition: RecognitionOptions): RecognitionOptions {
  const remaining = recognizerNames.find((name) => recognizerDescriptor(name).sizeMeaning === undefined);
  const { model } = recognition;
  if (remaining === undefined || (model !== DEFAULT_ASR_MODEL && model !== remaining))
    throw new UsageError(`${sizeSetting.variable} is off`);
  return { ...recognition, model: remaining };
}

async function perform(
  { input, targets }: Task,
  recognizer: Recognizer,
  recognition: RecognitionOptions,
  folder: string,
  { environment, terminal }: Context,
  signal: AbortSignal,
): Promise<void> {
  const progress = createTranscribeProgress(process.stderr, environment, input === "-" ? "stdin" : basename(input));
  progress.note(input === "-" ? "reading" : "opening");
  const recording = await openRecording(input, folder, signal);
  const parts = await openPartsFile(
    folder,
    recording.path,
    { ...recognition, recognizer: recognizer.identity },
    signal,
  );
  let transcript: Transcript;
  try {
    progress.note("transcribing");
    transcript = await recognizer.transcribe(recording, {
      signal,
      concurrency: 2,
      partSeconds: recognition.speakers === false ? 120 : 600,
      speakerCount: typeof recognition.speakers === "number" ? recognition.speakers : undefined,
      resume: parts,
      onProgress: progress.onProgress,
      onNote: progress.note,
    });
  } catch (error) {
    progress.clear();
    if (parts.count > 0) {
      terminal.notify(`${input}: ${parts.count} finished parts are kept; the same command continues from there.`);
    }
    throw error;
  } finally {
    await recording.close();
  }
  progress.clear();
  for (const target of targets) await write(target, transcript, signal);
  for (const { path } of targets) if (path !== undefined) terminal.notify(`Wrote ${path}`);
  await parts.remove();
}

async function write({ format, path }: Target, transcript: Transcript, signal: AbortSignal): Promise<void> {
  const text = Buffer.from(render(transcript, format));
  if (path === undefined) {
    if (text.length > 0) await streamSink(process.stdout, signal).write(text);
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  const sink = await openFileSink(path);
  try {
    await sink.write(text);
    await sink.finish();
  } catch (error) {
    await sink.discard();
    throw error;
  }
}
