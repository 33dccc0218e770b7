import { Command } from "commander";
import { addBackup, addRestore } from "./commands/backup.ts";
import { addBlobs } from "./commands/blobs.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addKeys } from "./commands/keys.ts";
import { addListen } from "./commands/listen.ts";
import { addMcp } from "./commands/mcp.ts";
import { addModels } from "./commands/models.ts";
import { addSay } from "./commands/say.ts";
import { addServe } from "./commands/serve.ts";
import { addTrace } from "./commands/trace.ts";
import { addTranscribe } from "./commands/transcribe.ts";
import { addUsage } from "./commands/usage.ts";
import { addUsers } from "./commands/users.ts";
import { addVoices } from "./commands/voices.ts";
import { addWallet } from "./commands/wallet.ts";
import { addWork } from "./commands/work.ts";
import type { Context } from "./context.ts";
import { version } from "./version.ts";

/** Commands load their modules when they run, so that help is fast and works on a broken installation. */
export function createProgram(context: Context): Command {
  const program = new Command("parlance")
    .description("Text to speech and speech to text on your own machine: as a command, and as a service with an API.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .addHelpText(
      "after",
      `
Examples:
  parlance say "Good morning."              speak, or write a file where nothing can play
  parlance say -o hello.mp3 < letter.txt    a text file to an mp3
  parlance transcribe talk.mp3 -o talk.srt  subtitles for a recording
  parlance listen                           transcribe live audio while it is spoken
  parlance voices --language es             voices for Spanish
  parlance serve --port 9000                the HTTP API
  parlance users create ada@example.org     a second account
  parlance trace                            how long the steps of a server's requests took
  parlance backup parlance.db               a copy of the service's database
  parlance doctor                           check the installation

Settings are environment variables: PARLANCE_MODELS (the folder of the models), NO_COLOR, PARLANCE_LOG=debug
(full errors), and for the service PARLANCE_PORT, PARLANCE_DATA and more.
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.`,
    )
    .showHelpAfterError("Try --help for how it is used.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.terminal.print(text.replace(/\n$/, "")),
      writeErr: (text) => context.terminal.notify(text.replace(/\n$/, "")),
      outputError: (text, write) => write(text.replace(/^error: /, "parlance: ")),
    });
  addSay(program, context);
  addTranscribe(program, context);
  addListen(program, context);
  addVoices(program, context);
  addModels(program, context);
  addServe(program, context);
  addWork(program, context);
  addMcp(program, context);
  addUsers(program, context);
  addKeys(program, context);
  addWallet(program, context);
  addUsage(program, context);
  addTrace(program, context);
  addBackup(program, context);
  addRestore(program, context);
  addBlobs(program, context);
  addDoctor(program, context);
  addCompletion(program, context);
  return program;
}
