import { DEFAULT_ASR_MODEL, RECOGNIZER_MODELS } from "@parlance/protocol/values";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { interruptible } from "../interrupt.ts";
import type { TranscribeOptions } from "../transcribe/options.ts";

export function addTranscribe(program: Command, context: Context): void {
  program
    .command("transcribe")
    .description("transcribe recordings, as text or subtitles")
    .argument("<files...>", 'recordings in any common format, of any length; "-" is standard input')
    .option("-f, --format <formats>", "txt, json, srt, vtt; several with commas (txt, or by the name of the output)")
    .option("-o, --output <file>", 'the output: a file, a folder, or "-" for standard output')
    .option("--force", "overwrite existing transcripts")
    .option("-l, --language <code>", "the spoken language, such as en, es, zh; detected by default")
    .option("-w, --words", "times for every word instead of every sentence")
    .option("-s, --speakers [count]", "speaker diarization: who speaks when; a number is the number of speakers")
    .addOption(
      new Option("-m, --model <name>", "the recognizer")
        .choices([DEFAULT_ASR_MODEL, ...RECOGNIZER_MODELS])
        .default(DEFAULT_ASR_MODEL, `${DEFAULT_ASR_MODEL}: chosen by language`),
    )
    .addOption(
      new Option("--local", "transcribe on this machine, even if a server is set").conflicts(["server", "key"]),
    )
    .option("--server <url>", "transcribe on a server (PARLANCE_URL)")
    .option("--key <key>", "the server's API key (better: PARLANCE_API_KEY, which others cannot see)")
    .addHelpText(
      "after",
      `
Without a server, recordings are transcribed on this machine; the first time, the models are fetched (about 125 MB).
One recording in one format goes to standard output. Several go to files with the names of the recordings, in the
folder that -o names or in the current one.
Long recordings are split at pauses. After an interruption the finished parts are kept for 30 days, and the same
command continues from there. The exit code is 1 when a recording failed; the others are transcribed all the same.

Examples:
  parlance transcribe talk.mp3                            print the text
  parlance transcribe talk.mp3 -o talk.srt                subtitles
  parlance transcribe -f txt,vtt -o transcripts *.m4a     many recordings, two formats, one folder
  parlance transcribe --words -f json call.wav | jq .segments
  parlance transcribe --speakers 2 -f vtt interview.mp3   who says what
  arecord -f cd -d 10 | parlance transcribe --language en -
  PARLANCE_URL=http://voice.local:8080 PARLANCE_API_KEY=… parlance transcribe meeting.flac`,
    )
    .action((files: string[], options: TranscribeOptions) =>
      interruptible(async (signal) =>
        (await import("../transcribe/run.ts")).transcribe(files, options, context, signal),
      ),
    );
}
