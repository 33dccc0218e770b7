import type { Visibility, VoiceOrder } from "@parlance/protocol";
import type { EngineName } from "@parlance/speech";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { interruptible } from "../interrupt.ts";
import type { NewVoiceOptions } from "../voices/served.ts";

interface Shared {
  readonly server?: string;
  readonly key?: string;
  readonly json?: boolean;
}

interface ListOptions extends Shared {
  readonly engine?: EngineName;
  readonly language?: string;
  readonly mine?: boolean;
  readonly title?: string;
  readonly tag?: string;
  readonly sort?: VoiceOrder;
}

interface UpdateOptions extends Shared {
  readonly title?: string;
  readonly description?: string;
  readonly tag?: readonly string[];
  readonly visibility?: Visibility;
}

export function addVoices(program: Command, context: Context): void {
  const voices = program
    .command("voices")
    .description("the voices: list, show, create, update, delete, preview")
    .addHelpText(
      "after",
      `
Without a server these are the voices that come with the engines. A server (--server or PARLANCE_URL) also has voices
that people made from recordings.

Examples:
  parlance voices
  parlance voices --language pt
  parlance voices --engine kokoro --json
  parlance say --voice bm_george "Mind the gap."
  export PARLANCE_URL=http://127.0.0.1:8080 PARLANCE_API_KEY=…
  parlance voices list --mine
  parlance voices create me-1.wav me-2.m4a --title "My voice" --consent "It is my own."
  parlance voices preview 3f9c… -o preview.mp3
  parlance voices update 3f9c… --visibility public
  parlance voices delete 3f9c…`,
    );
  const sub = (name: string, description: string, isDefault = false): Command =>
    voices
      .command(name, { isDefault })
      .description(description)
      .option("--server <url>", "the server (PARLANCE_URL)")
      .option("--key <key>", "its API key (better: PARLANCE_API_KEY, which others cannot see)");
  const visibility = () => new Option("--visibility <who>", "who sees it").choices(["public", "unlist", "private"]);

  sub("list", "what voices there are", true)
    .addOption(
      new Option("-e, --engine <name>", "only this engine's voices, on this machine").choices(["piper", "kokoro"]),
    )
    .option("-l, --language <tag>", "only voices for a language: en, en-GB, fr …")
    .option("--mine", "only your own, on the server")
    .option("--title <part>", "only those with this in their title, on the server")
    .option("--tag <tag>", "only those with this tag, on the server")
    .addOption(new Option("--sort <order>", "on the server").choices(["score", "task_count", "created_at"]))
    .option("--json", "print JSON, with the ids that the API takes as reference_id")
    .action((options: ListOptions) => interruptible((signal) => list(options, context, signal)));
  sub("show", "all about one voice")
    .argument("<id>", "of the voice")
    .option("--json", "print JSON")
    .action((id: string, options: Shared) =>
      interruptible(async (signal) => {
        const { client, served } = await open(options, context);
        served.showVoice(await client.voices.get(id, { signal }), options.json ?? false, context.terminal);
      }),
    );
  sub("create", "make a voice from recordings of one speaker")
    .argument("<files...>", "1 to 20 recordings of 1 to 120 seconds, in any common format")
    .requiredOption("-t, --title <title>", "what it is called")
    .option("--description <text>", "what it is like")
    .option("--tag <tags...>", "to find it by")
    .option(
      "--text <texts...>",
      "what is said in the recordings, in their order; the server listens where it is left out",
    )
    .option("--cover <file>", "a picture: PNG, JPEG or WebP")
    .option("--enhance", "take noise out of the recordings first")
    .option("--consent <statement>", "who agreed that this voice may be made; it is kept with the voice")
    .addOption(visibility().default("private"))
    .option("--json", "print JSON")
    .action((files: string[], options: Shared & NewVoiceOptions) =>
      interruptible(async (signal) => {
        const { client, served } = await open(options, context);
        const voice = await served.createFrom(client, files, options, context.terminal, signal);
        if (options.json) served.showVoice(voice, true, context.terminal);
        else context.terminal.print(voice._id);
      }),
    );
  sub("update", "change what is said about a voice")
    .argument("<id>", "of the voice")
    .option("-t, --title <title>", "what it is called")
    .option("--description <text>", "what it is like")
    .option("--tag <tags...>", "to find it by; these instead of those before")
    .addOption(visibility())
    .option("--json", "print JSON")
    .action((id: string, options: UpdateOptions) =>
      interruptible(async (signal) => {
        const { client, served } = await open(options, context);
        const { title, description, tag, visibility } = options;
        const wanted = {
          ...(title === undefined ? {} : { title }),
          ...(description === undefined ? {} : { description }),
          ...(tag === undefined ? {} : { tags: tag }),
          ...(visibility === undefined ? {} : { visibility }),
        };
        served.showVoice(await served.change(client, id, wanted, signal), options.json ?? false, context.terminal);
      }),
    );
  sub("delete", "delete a voice with its recordings and all that was made of them")
    .argument("<id>", "of the voice")
    .action((id: string, options: Shared) =>
      interruptible(async (signal) => {
        const { client } = await open(options, context);
        await client.voices.delete(id, { signal });
        context.terminal.tell("The voice and its recordings are gone.");
      }),
    );
  sub("preview", "get what a voice sounds like, as mp3")
    .argument("<id>", "of the voice")
    .option("-o, --output <file>", 'where to write; "-" is standard output (preview.mp3)')
    .action((id: string, options: Shared & { readonly output?: string }) =>
      interruptible((signal) => preview(id, options, context, signal)),
    );
}

async function list(options: ListOptions, context: Context, signal: AbortSignal): Promise<void> {
  const { findServer } = await import("../voices/connect.ts");
  // An engine is a matter of this machine.
  const client = options.engine === undefined ? findServer(options, context.environment) : undefined;
  if (client === undefined) {
    await (await import("../voices/installed.ts")).listInstalled(options, context);
    return;
  }
  const { listServed } = await import("../voices/served.ts");
  const { language, title, tag, sort: sort_by } = options;
  const query = { language, title, tag, sort_by, self: options.mine };
  await listServed(client, query, options.json ?? false, context.terminal, signal);
}

async function open(options: Shared, { environment }: Context) {
  const { needServer } = await import("../voices/connect.ts");
  return { client: needServer(options, environment), served: await import("../voices/served.ts") };
}

async function preview(
  id: string,
  options: Shared & { readonly output?: string },
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const { client } = await open(options, context);
  const { openFileSink, streamSink } = await import("../say/sink.ts");
  const bytes = await client.voices.sample(id, { signal });
  const path = options.output ?? "preview.mp3";
  const sink = path === "-" ? streamSink(process.stdout, signal) : await openFileSink(path);
  await sink.write(bytes);
  await sink.finish();
  if (path !== "-") context.terminal.tell(`Wrote ${path}`);
}
