import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { interruptible } from "../interrupt.ts";
import type { ListenCommandOptions } from "../listen/options.ts";

export function addListen(program: Command, context: Context): void {
  program
    .command("listen")
    .description("transcribe live audio while it is spoken")
    .argument("[file]", 'a recording; "-" is raw audio on standard input; the microphone by default')
    .option("-l, --language <code>", "the spoken language, such as en, es, zh; detected by default")
    .option("--rate <hz>", "samples per second of standard input: 16-bit little-endian samples, one channel", "16000")
    .option("--json", "one line of JSON for each event: partial text, final text with word times, turns")
    .addOption(new Option("--local", "listen on this machine, even if a server is set").conflicts(["server", "key"]))
    .option("--server <url>", "listen on a server (PARLANCE_URL)")
    .option("--key <key>", "the server's API key (better: PARLANCE_API_KEY, which others cannot see)")
    .addHelpText(
      "after",
      `
Without --json, words are shown as they come, and each line is a turn of the speaker or a part of a long one. In a terminal
the line is rewritten while it is spoken; in a pipe or a file only words appear that will not change any more.

Examples:
  parlance listen                                      from the microphone
  parlance listen --json talk.wav                      every event of a recording
  ffmpeg -i call.ogg -f s16le -ar 16000 -ac 1 - | parlance listen -`,
    )
    .action((file: string | undefined, options: ListenCommandOptions) =>
      interruptible(async (signal) => (await import("../listen/run.ts")).listen(file, options, context, signal)),
    );
}
