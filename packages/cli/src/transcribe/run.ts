import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ApiError, type Transcript } from "@parlance/client";
import type { RecognizerSize } from "@parlance/speech";
import type { Context } from "../context.ts";
import { describeError, UsageError } from "../errors.ts";
import { openModelStore, pullWithProgress } from "../models.ts";
import { openFileSink, streamSink } from "../say/sink.ts";
import { prepareWorkFolder, workFolder } from "./cache.ts";
import { type Ears, localEars, serverEars, type Wishes } from "./local-recognition.ts";
import type { TranscribeOptions } from "./options.ts";
import { openPartsFile } from "./part-store.ts";
import { parseFormats, planTasks, type Target, type Task } from "./plan.ts";
import { createTranscribeProgress } from "./progress.ts";
import { openRecording } from "./recording.ts";
import { render } from "./render.ts";

const REACH_MS = 15_000;

export async function transcribe(
  files: readonly string[],
  options: TranscribeOptions,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const { environment, terminal } = context;
  const formats = options.format === undefined ? undefined : parseFormats(options.format);
  const tasks = planTasks(files, { formats, output: options.output, force: options.force === true });
  const wishes: Wishes = {
    language: options.language?.toLowerCase(),
    granularity: options.words === true ? "word" : "segment",
    model: options.model,
  };
  const folder = workFolder(environment);
  await prepareWorkFolder(folder);
  const ears = await chooseEars(options, wishes, folder, context, signal);
  try {
    for (const task of tasks) {
      try {
        await perform(task, ears, wishes, folder, context, signal);
      } catch (error) {
        if (signal.aborted || error instanceof UsageError || isHopeless(error)) throw error;
        terminal.tell(`${terminal.style.red("parlance:")} ${task.input}: ${describeError(error, environment)}`);
        terminal.failWith(1);
      }
    }
  } finally {
    await ears.close();
  }
}

/** What would go wrong with every other recording too. */
function isHopeless(error: unknown): boolean {
  return error instanceof ApiError && [401, 402, 403].includes(error.status);
}

async function chooseEars(
  options: TranscribeOptions,
  wishes: Wishes,
  folder: string,
  { environment }: Context,
  signal: AbortSignal,
): Promise<Ears> {
  const url = options.server ?? (environment.PARLANCE_URL || undefined);
  if (url !== undefined && options.local !== true) {
    if (!/^https?:\/\/./.test(url)) throw new UsageError(`${url} is not the address of a server: http://host:port`);
    await assertReachable(url, signal);
    return serverEars(url.replace(/\/+$/, ""), options.key ?? (environment.PARLANCE_API_KEY || undefined), wishes);
  }
  if (options.key !== undefined) throw new UsageError("--key is for a server: name one with --server");
  const whisper = whisperSize(environment);
  if (whisper === undefined && wishes.model === "whisper") throw new UsageError("PARLANCE_WHISPER is off");
  const local = whisper === undefined ? { ...wishes, model: "moonshine" as const } : wishes;
  const store = openModelStore(environment);
  await pullWithProgress(store, modelsFor(local, whisper ?? "base"), environment, signal);
  return localEars(store, whisper ?? "base", folder, local);
}

/** A slip in the address should not show after a minute of tries. Whatever is answered, somebody is there. */
async function assertReachable(url: string, signal: AbortSignal): Promise<void> {
  try {
    const deadline = AbortSignal.timeout(REACH_MS);
    await fetch(new URL("/health/live", url), { signal: AbortSignal.any([signal, deadline]) });
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`${url} cannot be reached: ${reason}`, { cause: error });
  }
}

/** As few as will do: where it is known to be English, one model is enough. */
function modelsFor({ language, model }: Wishes, whisper: RecognizerSize): readonly string[] {
  const english = model === "moonshine" || (model !== "whisper" && language === "en");
  const wanted = [...(model === "whisper" ? [] : ["moonshine-base"]), ...(english ? [] : [`whisper-${whisper}`])];
  return ["silero-vad", ...wanted];
}

/** The server's setting, which counts here too. Undefined: no Whisper, and English only. */
function whisperSize({ PARLANCE_WHISPER: given }: NodeJS.ProcessEnv): RecognizerSize | undefined {
  if (given === undefined || given === "") return "base";
  if (given === "tiny" || given === "small" || given === "base") return given;
  if (given === "off") return undefined;
  throw new UsageError(`PARLANCE_WHISPER: "${given}" is not allowed, it must be one of tiny, base, small, off`);
}

async function perform(
  { input, targets }: Task,
  ears: Ears,
  wishes: Wishes,
  folder: string,
  { environment, terminal }: Context,
  signal: AbortSignal,
): Promise<void> {
  const progress = createTranscribeProgress(process.stderr, environment, input === "-" ? "stdin" : basename(input));
  progress.note(input === "-" ? "reading" : "opening");
  const recording = await openRecording(input, folder, signal);
  const parts = await openPartsFile(folder, recording.path, { ...wishes, ears: ears.identity }, signal);
  let transcript: Transcript;
  try {
    progress.note("listening");
    transcript = await ears.transcribe(recording, {
      signal,
      concurrency: 2,
      partSeconds: 120,
      resume: parts,
      onProgress: progress.onProgress,
      onNote: progress.note,
    });
  } catch (error) {
    progress.clear();
    if (parts.count > 0) {
      terminal.tell(`${input}: ${parts.count} finished parts are kept; the same command goes on from there.`);
    }
    throw error;
  } finally {
    await recording.close();
  }
  progress.clear();
  for (const target of targets) await write(target, transcript, signal);
  for (const { path } of targets) if (path !== undefined) terminal.tell(`Wrote ${path}`);
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
