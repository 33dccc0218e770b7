import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ListenEvent, Parlance } from "@parlance/client";
import { toListenFrame } from "@parlance/server/listen";
import {
  createDecoder,
  createTranscription,
  recognizerDescriptor,
  recognizerNames,
  sizeSetting,
} from "@parlance/speech";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { openModelStore, readEngineSetting } from "../models.ts";
import { createLiveText } from "./live-text.ts";
import type { ListenCommandOptions } from "./options.ts";
import { findRecorder, record, recorderNames } from "./recorder.ts";

/** Where recognized words come from: a server, or this machine. */
interface Recognition extends AsyncIterable<ListenEvent> {
  send(audio: Uint8Array): Promise<void>;
  stop(): void;
}

const RATES = { min: 8000, max: 96_000 };
const POLL_MS = 10;

/** Prints what is said as it is said. */
export async function listen(
  file: string | undefined,
  options: ListenCommandOptions,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const { environment, terminal } = context;
  const folder = await mkdtemp(join(tmpdir(), "parlance-listen-"));
  const stopped = new AbortController();
  try {
    const { audio, sampleRate } = await openAudio(
      file,
      options,
      context,
      folder,
      AbortSignal.any([signal, stopped.signal]),
    );
    const baseUrl = options.local === true ? undefined : (options.server ?? environment.PARLANCE_URL);
    const request = { language: options.language, sampleRate };
    const recognition =
      baseUrl === undefined
        ? await listenHere(request, environment, signal)
        : await new Parlance({ baseUrl, apiKey: options.key ?? environment.PARLANCE_API_KEY }).asr.live(request, {
            signal,
          });
    const sending = (async () => {
      for await (const chunk of audio) await recognition.send(chunk);
      recognition.stop();
    })();
    // A failure to read the audio ends the loop below through the stream's own end.
    sending.catch(() => recognition.stop());
    const text = createLiveText(terminal);
    for await (const event of recognition) {
      if (options.json === true) terminal.print(JSON.stringify(event));
      else text.show(event);
    }
    await sending;
  } finally {
    stopped.abort();
    await rm(folder, { recursive: true, force: true });
  }
}

async function openAudio(
  file: string | undefined,
  { rate }: ListenCommandOptions,
  { environment, terminal }: Context,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly audio: AsyncIterable<Uint8Array>; readonly sampleRate: number }> {
  const sampleRate = Number(rate);
  if (!Number.isInteger(sampleRate) || sampleRate < RATES.min || sampleRate > RATES.max)
    throw new UsageError(`--rate ${rate}: it must be a whole number from ${RATES.min} to ${RATES.max}`);
  if (file === "-") return { audio: process.stdin, sampleRate };
  if (file !== undefined) {
    const decoder = createDecoder({ processes: 1 });
    try {
      const path = join(folder, "samples");
      await decoder.decode(file, path, { sampleRate: 16_000 }, signal);
      return { audio: createReadStream(path, { signal }), sampleRate: 16_000 };
    } finally {
      await decoder.close();
    }
  }
  const recorder = findRecorder(environment.PATH ?? "");
  if (!recorder)
    throw new UsageError(
      `no program for the microphone was found; install one of ${recorderNames.join(", ")}, or name a file`,
    );
  terminal.notify(`Listening with ${recorder.name}. Ctrl-C ends.`);
  return { audio: record(recorder, signal), sampleRate: 16_000 };
}

async function listenHere(
  { language, sampleRate }: { readonly language: string | undefined; readonly sampleRate: number },
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Recognition> {
  const models = openModelStore(environment);
  const given = readEngineSetting(sizeSetting, environment);
  const size = given === "off" ? "base" : given;
  const recognizers = recognizerNames
    .map(recognizerDescriptor)
    .filter(({ sizeMeaning }) => given !== "off" || sizeMeaning === undefined);
  await models.pull(["silero-vad", ...recognizers.map((recognizer) => recognizer.model(size))], { signal });
  const transcription = await createTranscription({ models, size });
  const format = { encoding: "pcm_s16le", sampleRate } as const;
  const listening = await transcription.listen({ format, language }, signal);
  return {
    async send(audio) {
      listening.push(audio);
      while (listening.isFull && !signal.aborted) await sleep(POLL_MS);
    },
    stop: listening.end,
    async *[Symbol.asyncIterator]() {
      try {
        for await (const event of listening) yield toListenFrame(event);
      } finally {
        await transcription.close();
      }
    },
  };
}
