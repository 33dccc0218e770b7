import { AUDIO_FORMATS, type AudioFormatName, PROSODY_RANGES } from "@parlance/protocol/values";
import type { Speech, SpeechPart, SpeechSettings } from "@parlance/speech";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { interruptible } from "../interrupt.ts";
import type { Sink } from "../say/sink.ts";
import type { Target } from "../say/target.ts";
import type { Terminal } from "../terminal.ts";

interface SayOptions {
  readonly output?: string;
  readonly voice?: string;
  readonly format?: AudioFormatName;
  readonly speed: number;
  readonly volume: number;
  readonly seed?: number;
  readonly play?: boolean;
  readonly live?: boolean;
}

export function addSay(program: Command, context: Context): void {
  const { speed, volume } = PROSODY_RANGES;
  program
    .command("say")
    .description("speak a text, or write it to an audio file")
    .argument("[text...]", 'the text to speak; without it, or with "-", standard input is read')
    .addOption(
      new Option(
        "-o, --output <file>",
        'write to a file; its extension is the format; "-" is standard output',
      ).conflicts("play"),
    )
    .option("-v, --voice <name>", "a voice by name or id, see: parlance voices")
    .addOption(new Option("-f, --format <format>", "audio format").choices(AUDIO_FORMATS))
    .option("-s, --speed <factor>", `pace, ${speed.min} to ${speed.max}`, number(speed), speed.default)
    .option("--volume <dB>", `louder or softer, ${volume.min} to ${volume.max} dB`, number(volume), volume.default)
    .option("--seed <number>", "the same text, voice and seed give the same audio", wholeNumber)
    .option("-p, --play", "play it, even when this is not a terminal")
    .option("-l, --live", "speak standard input while it is still being typed or written; Ctrl-D ends, Ctrl-C stops")
    .addHelpText(
      "after",
      `
In a terminal with a player installed the speech is played; otherwise it is written to speech.mp3.
No server is needed. The first time, the voice's model is fetched (about 90 MB).

Examples:
  parlance say "It is 5:30 pm, and 21 °C outside."
  parlance say --voice bf_emma -o tea.wav "Shall we have some tea?"
  parlance say -o book.mp3 < chapter-1.txt
  echo "Piped in, piped out." | parlance say -f opus -o - > piped.opus
  parlance say --live                                   each line is spoken when it is entered
  ollama run llama3 "Tell me a story" | parlance say --live    a language model, as it writes`,
    )
    .action((words: string[], options: SayOptions) => interruptible((signal) => say(words, options, context, signal)));
}

function number({ min, max }: { readonly min: number; readonly max: number }): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    return value;
  };
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value)) throw new InvalidArgumentError("It must be a whole number.");
  return value;
}

async function say(
  words: readonly string[],
  options: SayOptions,
  { environment, terminal }: Context,
  signal: AbortSignal,
): Promise<void> {
  const [{ createSpeech, formatBytes }, { chooseVoice }, { chooseTarget }, input, { speechRequest }, models] =
    await Promise.all([
      import("@parlance/speech"),
      import("../say/voice.ts"),
      import("../say/target.ts"),
      import("../say/text-input.ts"),
      import("../say/request.ts"),
      import("../models.ts"),
    ]);
  const voice = chooseVoice(options.voice);
  const target = chooseTarget(options, {
    path: environment.PATH ?? "",
    interactive: process.stderr.isTTY === true && process.stdout.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
  });
  const onWaiting = () => terminal.notify("Type what to say, then Ctrl-D.");
  if (options.live && !input.isFromInput(words))
    throw new UsageError("--live speaks standard input: leave the text out");
  const text = options.live ? "" : await input.readText(words, process.stdin, onWaiting, signal);

  const quality = models.kokoroQualityOf(environment);
  const store = models.openModelStore(environment);
  await models.pullWithProgress(store, [models.modelOf(voice.engine)], environment, signal);
  const request = speechRequest({ ...options, text, voice, format: formatOf(target) });
  // Opened before the engine is loaded, so that a path that cannot be written fails at once.
  const sink = await openSink(target, signal);
  try {
    const speech = await createSpeech({ models: store, engines: [voice.engine], quality, workers: 1 });
    try {
      const parts = options.live
        ? await speakInput(speech, request, target, terminal, signal)
        : speech.speak(request, signal);
      let bytes = 0;
      for await (const part of parts) {
        bytes += part.bytes.length;
        await sink.write(part.bytes);
      }
      // When it was aborted, the stream ends early without an error.
      signal.throwIfAborted();
      await sink.finish();
      if (target.kind === "file") terminal.notify(`Wrote ${target.path} (${formatBytes(bytes)}, voice ${voice.slug})`);
    } finally {
      await speech.close();
    }
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

async function speakInput(
  speech: Speech,
  settings: SpeechSettings,
  target: Target,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<AsyncIterable<SpeechPart>> {
  const { readLive } = await import("../say/live-input.ts");
  if (process.stdin.isTTY) terminal.notify("Type what to say: Enter speaks the line, Ctrl-D ends, Ctrl-C stops.");
  if (target.kind === "player" && target.player.input === "file") {
    terminal.notify(`${target.player.name} plays whole files only, so it is played at the end.`);
  }
  return speech.speakLive(settings, readLive(process.stdin, signal), signal);
}

/** Players get raw samples through a pipe, or a WAV file. */
function formatOf(target: Target): AudioFormatName {
  if (target.kind !== "player") return target.format;
  return target.player.input === "stdin" ? "pcm" : "wav";
}

async function openSink(target: Target, signal: AbortSignal): Promise<Sink> {
  if (target.kind === "player") return (await import("../say/play.ts")).openPlayerSink(target.player, signal);
  const { openFileSink, streamSink } = await import("../say/sink.ts");
  return target.kind === "stdout" ? streamSink(process.stdout, signal) : await openFileSink(target.path);
}
