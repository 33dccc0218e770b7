import type { Visibility, VoiceOrder } from "@parlance/protocol";
import { ENGINE_MODELS } from "@parlance/protocol/values";
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
  readonly refine?: boolean;
}

export function addVoices(program: Command, context: Context): void {
  const voices = program
    .command("voices")
    .description("the voices: list, show, create, update, delete, preview")
    .addHelpText(
      "after",
      `
Without a server, these are the stock voices of the engines. A server (--server or PARLANCE_URL) also has cloned voices,
made from recordings. A new voice speaks at once. Its server then sets its pace and refines it in the background;
"parlance voices show ID" shows the state and, at the end, the similarity before and after.

Examples:
  parlance voices
  parlance voices --language pt
  parlance voices --engine kokoro --json
  parlance say --voice bm_george "Mind the gap."
  export PARLANCE_URL=http://127.0.0.1:8080 PARLANCE_API_KEY=…
  parlance voices list --mine
  parlance voices create me-1.wav me-2.m4a --title "My voice" --consent "It is my own."
  parlance voices show 3f9c…
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
  const visibility = () => new Option("--visibility <who>", "who can see it").choices(["public", "unlist", "private"]);

  sub("list", "list the voices", true)
    .addOption(
      new Option("-e, --engine <name>", "only this engine's voices, on this machine").choices([...ENGINE_MODELS]),
    )
    .option("-l, --language <tag>", "only voices for a language: en, en-GB, fr …")
    .option("--mine", "only your own voices, on the server")
    .option("--title <part>", "only voices with this text in their title, on the server")
    .option("--tag <tag>", "only voices with this tag, on the server")
    .addOption(new Option("--sort <order>", "the order, on the server").choices(["score", "task_count", "created_at"]))
    .option("--json", "print JSON, with the ids that the API takes as reference_id")
    .action((options: ListOptions) => interruptible((signal) => list(options, context, signal)));
  sub("show", "show one voice")
    .argument("<id>", "the id of the voice, or the short name of a stock voice")
    .option("--json", "print JSON")
    .action((id: string, options: Shared) =>
      interruptible(async (signal) => {
        const { client, served } = await open(options, context);
        served.showVoice(await client.voices.get(id, { signal }), options.json ?? false, context.terminal);
      }),
    );
  sub("create", "create a cloned voice from recordings of one speaker")
    .argument("<files...>", "1 to 20 recordings of 1 to 120 seconds, in any common format")
    .requiredOption("-t, --title <title>", "the title")
    .option("--description <text>", "the description")
    .option("--tag <tags...>", "the tags")
    .option(
      "--text <texts...>",
      "the transcripts of the recordings, in their order; by default the server transcribes them",
    )
    .option("--cover <file>", "a picture: PNG, JPEG or WebP")
    .option("--enhance", "remove noise from the recordings first")
    .option("--consent <statement>", "who agreed that this voice may be made; stored with the voice")
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
  sub("update", "change title, description, tags or visibility, or start a refinement again")
    .argument("<id>", "the id of the voice")
    .option("-t, --title <title>", "the title")
    .option("--description <text>", "the description")
    .option("--tag <tags...>", "the tags; they replace the existing ones")
    .addOption(visibility())
    .option("--refine", "start its refinement again after it has failed")
    .option("--json", "print JSON")
    .action((id: string, options: UpdateOptions) =>
      interruptible(async (signal) => {
        const { client, served } = await open(options, context);
        const { title, description, tag, visibility, refine } = options;
        const voiceChange = {
          ...(title === undefined ? {} : { title }),
          ...(description === undefined ? {} : { description }),
          ...(tag === undefined ? {} : { tags: tag }),
          ...(visibility === undefined ? {} : { visibility }),
          ...(refine === undefined ? {} : { refinement: "waiting" as const }),
        };
        served.showVoice(await served.change(client, id, voiceChange, signal), options.json ?? false, context.terminal);
      }),
    );
  sub("delete", "delete a voice, its recordings and everything computed from them")
    .argument("<id>", "the id of the voice")
    .action((id: string, options: Shared) =>
      interruptible(async (signal) => {
        const { client } = await open(options, context);
        await client.voices.delete(id, { signal });
        context.terminal.notify("The voice and its recordings are deleted.");
      }),
    );
  sub("preview", "get a sample of a voice, as mp3")
    .argument("<id>", "the id of the voice, or the short name of a stock voice")
    .option("-o, --output <file>", 'the output file; "-" is standard output (preview.mp3)')
    .action((id: string, options: Shared & { readonly output?: string }) =>
      interruptible((signal) => preview(id, options, context, signal)),
    );
}

async function list(options: ListOptions, context: Context, signal: AbortSignal): Promise<void> {
  const { findServer } = await import("../voices/connect.ts");
  // Engines can only be chosen on this machine.
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
  const { requireServer } = await import("../voices/connect.ts");
  return { client: requireServer(options, environment), served: await import("../voices/served.ts") };
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
  if (path !== "-") context.terminal.notify(`Wrote ${path}`);
}
