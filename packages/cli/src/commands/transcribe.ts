import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { interruptible } from "../interrupt.ts";
import type { TranscribeOptions } from "../transcribe/options.ts";

export function addTranscribe(program: Command, context: Context): void {
  program
    .command("transcribe")
    .description("write down what is said in recordings, as text or subtitles")
    .argument("<files...>", 'recordings in any common format, of any length; "-" is standard input')
    .option("-f, --format <formats>", "txt, json, srt, vtt; several with commas (txt, or by the name of the output)")
    .option("-o, --output <file>", 'where to write: a file, a folder, or "-" for standard output')
    .option("--force", "write over transcripts that are in the folder already")
    .option("-l, --language <code>", "what is spoken, such as en, es, zh; otherwise it is detected")
    .option("-w, --words", "times for every word instead of every sentence")
    .addOption(
      new Option("-m, --model <name>", "who listens")
        .choices(["transcribe-1", "moonshine", "whisper"])
        .default("transcribe-1", "transcribe-1: the language decides"),
    )
    .addOption(new Option("--local", "listen on this machine, even where a server is set").conflicts(["server", "key"]))
    .option("--server <url>", "listen on a server (PARLANCE_URL)")
    .option("--key <key>", "the server's API key (better: PARLANCE_API_KEY, which others cannot see)")
    .addHelpText(
      "after",
      `
Without a server everything happens on this machine; the first time, the models are fetched (about 125 MB).
One recording in one format goes to standard output. Several go to files with the names of the recordings, in the
folder that -o names or in the current one.
Long recordings are cut at pauses. When that is interrupted, the finished parts are kept for 30 days, and the same
command goes on from there. The exit code is 1 when any recording failed; the others are done all the same.

Examples:
  parlance transcribe talk.mp3                            the text, here
  parlance transcribe talk.mp3 -o talk.srt                subtitles
  parlance transcribe -f txt,vtt -o transcripts *.m4a     many recordings, two formats, one folder
  parlance transcribe --words -f json call.wav | jq .segments
  arecord -f cd -d 10 | parlance transcribe --language en -
  PARLANCE_URL=http://voice.local:8080 PARLANCE_API_KEY=… parlance transcribe meeting.flac`,
    )
    .action((files: string[], options: TranscribeOptions) =>
      interruptible(async (signal) =>
        (await import("../transcribe/run.ts")).transcribe(files, options, context, signal),
      ),
    );
}
