import type { PronunciationList } from "@parlance/protocol";
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
  readonly language?: string;
  readonly pronounce?: PronunciationList;
  readonly play?: boolean;
  readonly live?: boolean;
  readonly server?: string;
  readonly key?: string;
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
    .option("--language <code>", "the language of the text, such as es or pt-BR; found for each sentence when left out")
    .option(
      "--pronounce <word=value>",
      'how a word is spoken: "GIF=jiff", or phonemes as "Nguyen=/nwˈɪn/"; may be repeated',
      addPronunciation,
    )
    .option("-p, --play", "play it, even when this is not a terminal")
    .option("-l, --live", "speak standard input while it is still being typed or written; Ctrl-D ends, Ctrl-C stops")
    .option("--server <url>", "speak with a server, which knows your cloned voices")
    .option("--key <key>", "the server's API key (better: PARLANCE_API_KEY, which others cannot see)")
    .addHelpText(
      "after",
      `
In a terminal with a player installed the speech is played; otherwise it is written to speech.mp3. Where
the player fails, as without a sound card, the speech is written to speech.wav.
No server is needed. The first time, the voice's model is fetched (about 90 MB).

Examples:
  parlance say "It is 5:30 pm, and 21 °C outside."
  parlance say "Buenos días. ¿Cómo está usted?"          each language has its own voice
  parlance say --voice bf_emma -o tea.wav "Shall we have some tea?"
  parlance say --pronounce GIF=jiff "A GIF of a cat."
  parlance say --server http://127.0.0.1:8080 --voice 5d1e0f0c9b8a47d6b1c2d3e4f5a60718 "My own voice."
  parlance say -o book.mp3 < chapter-1.txt
  echo "Piped in, piped out." | parlance say -f opus -o - > piped.opus
  parlance say --live                                   each line is spoken when it is entered
  ollama run llama3 "Tell me a story" | parlance say --live    a language model, as it writes`,
    )
    .action((words: string[], options: SayOptions) =>
      interruptible((signal) => (options.server === undefined ? say : sayServed)(words, options, context, signal)),
    );
}

function number({ min, max }: { readonly min: number; readonly max: number }): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    return value;
  };
}

function addPronunciation(given: string, before: PronunciationList = {}): PronunciationList {
  const at = given.indexOf("=");
  const [word, value] = [given.slice(0, at).trim(), given.slice(at + 1).trim()];
  if (at < 1 || word === "" || value === "")
    throw new InvalidArgumentError("It must be a word, = and how it is spoken.");
  return { ...before, [word]: value };
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
  const [
    { createSpeech, engineLanguages, findEngineLanguage, formatBytes, qualitySetting },
    { chooseVoice },
    { chooseTarget },
    input,
    { speechRequest },
    { assertPronunciations },
    models,
  ] = await Promise.all([
    import("@parlance/speech"),
    import("../say/voice.ts"),
    import("../say/target.ts"),
    import("../say/text-input.ts"),
    import("../say/request.ts"),
    import("../say/pronunciations.ts"),
    import("../models.ts"),
  ]);
  const voice = chooseVoice(options.voice);
  if (options.language !== undefined && findEngineLanguage(voice.engine, options.language) === undefined) {
    const known = engineLanguages(voice.engine).map(({ tag }) => tag);
    throw new UsageError(
      `there is no language ${options.language}: the voices of ${voice.engine} speak ${known.join(", ")}`,
    );
  }
  assertPronunciations(options.pronounce);
  const target = chooseTarget(options, surroundings(environment));
  const onWaiting = () => terminal.notify("Type what to say, then Ctrl-D.");
  if (options.live && !input.isFromInput(words))
    throw new UsageError("--live speaks standard input: leave the text out");
  const text = options.live ? "" : await input.readText(words, process.stdin, onWaiting, signal);

  const quality = models.readEngineSetting(qualitySetting, environment);
  const store = models.openModelStore(environment);
  await models.pullWithProgress(store, [models.modelOf(voice.engine)], environment, signal);
  const request = speechRequest({
    ...options,
    text,
    voice,
    voiceByLanguage: options.voice === undefined,
    format: formatOf(target),
  });
  // Opened before the engine is loaded, so that a path that cannot be written fails at once.
  const sink = await openSink(target, options, terminal, signal);
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

function surroundings(environment: NodeJS.ProcessEnv) {
  return {
    path: environment.PATH ?? "",
    interactive: process.stderr.isTTY === true && process.stdout.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
  };
}

/** The same with the engines of a server, which may have the caller's own voices. */
async function sayServed(
  words: readonly string[],
  options: SayOptions,
  { environment, terminal }: Context,
  signal: AbortSignal,
): Promise<void> {
  if (options.live) throw new UsageError("--live works without --server only");
  const [{ chooseTarget }, input, { speakServed }, { requireServer }] = await Promise.all([
    import("../say/target.ts"),
    import("../say/text-input.ts"),
    import("../say/served.ts"),
    import("../voices/connect.ts"),
  ]);
  const server = requireServer(options, environment);
  const target = chooseTarget(options, surroundings(environment));
  const onWaiting = () => terminal.notify("Type what to say, then Ctrl-D.");
  const text = await input.readText(words, process.stdin, onWaiting, signal);
  const sink = await openSink(target, options, terminal, signal);
  try {
    for await (const bytes of await speakServed(server, { ...options, text, format: formatOf(target) }, signal)) {
      await sink.write(bytes);
    }
    await sink.finish();
    if (target.kind === "file") terminal.notify(`Wrote ${target.path}`);
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

async function openSink(target: Target, options: SayOptions, terminal: Terminal, signal: AbortSignal): Promise<Sink> {
  if (target.kind === "player") {
    const [{ openPlayerSink }, { fallbackPath }] = await Promise.all([
      import("../say/play.ts"),
      import("../say/target.ts"),
    ]);
    // With an explicit player, its failure is an error.
    if (options.play) return openPlayerSink(target.player, signal);
    const path = fallbackPath();
    const onUsed = ({ message }: Error) => terminal.notify(`It cannot be played here (${message}). Wrote ${path}`);
    return openPlayerSink(target.player, signal, { path, onUsed });
  }
  const { openFileSink, streamSink } = await import("../say/sink.ts");
  return target.kind === "stdout" ? streamSink(process.stdout, signal) : await openFileSink(target.path);
}
