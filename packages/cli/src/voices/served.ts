import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { NewVoice, Parlance, VoiceChange, VoiceQuery } from "@parlance/client";
import type { VoiceModel } from "@parlance/protocol";
import { stockVoices } from "@parlance/speech";
import { UsageError } from "../errors.ts";
import { printable } from "../printable.ts";
import { formatTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";

const PAGE = 100;
const MAX_LISTED = 1000;

/** Lists the voices of a server. */
export async function listServed(
  { voices }: Parlance,
  query: VoiceQuery,
  json: boolean,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const found: VoiceModel[] = [];
  for (let number = 1; found.length < MAX_LISTED; number++) {
    const page = await voices.list({ ...query, page_size: PAGE, page_number: number }, { signal });
    found.push(...page.items);
    if (!page.has_more) break;
  }
  if (json) {
    terminal.print(JSON.stringify(found, null, 2));
    return;
  }
  if (found.length === 0) {
    terminal.notify("No voice matches.");
    return;
  }
  const rows = found.map((voice) => [
    voice._id,
    shortNameOf(voice),
    voice.title,
    voice.languages.join(","),
    voice.visibility,
    voice.author.nickname || voice.author._id,
    String(voice.task_count),
  ]);
  const [head = "", ...lines] = formatTable([
    ["ID", "NAME", "TITLE", "LANGUAGE", "VISIBILITY", "OWNER", "USED"],
    ...rows.map((row) => row.map(printable)),
  ]);
  terminal.print(terminal.resultStyle.bold(head));
  for (const line of lines) terminal.print(line);
}

/** The short name of a stock voice, which the API accepts in place of its id. Other voices have none. */
function shortNameOf({ _id }: VoiceModel): string {
  return stockVoices.find(({ id }) => id === _id)?.slug ?? "";
}

function refinementOf({ refinement, refinement_error, refinement_similarity: similarity }: VoiceModel): string {
  if (refinement_error !== "") return `${refinement}: ${refinement_error}`;
  // That of a voice that waits again is of the refinement before.
  if (refinement !== "done" || similarity === null) return refinement;
  return `done: similarity ${similarity.before.toFixed(3)} before, ${similarity.after.toFixed(3)} after`;
}

export function showVoice(voice: VoiceModel, json: boolean, terminal: Pick<Terminal, "print">): void {
  if (json) {
    terminal.print(JSON.stringify(voice, null, 2));
    return;
  }
  const fields: readonly (readonly [string, string])[] = [
    ["id", voice._id],
    ["name", shortNameOf(voice)],
    ["title", voice.title],
    ["description", voice.description],
    ["state", voice.state],
    ["refinement", refinementOf(voice)],
    ["visibility", voice.visibility],
    ["languages", voice.languages.join(", ")],
    ["tags", voice.tags.join(", ")],
    ["owner", `${voice.author.nickname} (${voice.author._id})`],
    ["created", voice.created_at],
    ["updated", voice.updated_at],
    ["used", String(voice.task_count)],
    ["likes", String(voice.like_count)],
    ["sample", voice.samples[0]?.audio ?? ""],
  ];
  for (const line of formatTable(fields.map((row) => row.map(printable)))) terminal.print(line);
}

export interface NewVoiceOptions extends Omit<NewVoice, "voices" | "texts" | "cover_image" | "tags"> {
  readonly text?: readonly string[];
  readonly tag?: readonly string[];
  readonly cover?: string;
  readonly enhance?: boolean;
}

export async function createFrom(
  { voices }: Parlance,
  files: readonly string[],
  options: NewVoiceOptions,
  { notify }: Pick<Terminal, "notify">,
  signal: AbortSignal,
): Promise<VoiceModel> {
  const { title, description, visibility, consent, text = [], tag = [], cover, enhance } = options;
  const recordings = await Promise.all(files.map(readBlob));
  return voices.create(
    {
      title,
      voices: recordings,
      texts: text,
      tags: tag,
      ...(description === undefined ? {} : { description }),
      ...(visibility === undefined ? {} : { visibility }),
      ...(consent === undefined ? {} : { consent }),
      ...(enhance === undefined ? {} : { enhance_audio_quality: enhance }),
      ...(cover === undefined ? {} : { cover_image: await readBlob(cover) }),
    },
    { signal, onWait: (reason, ms) => notify(`${reason.message} (waiting ${Math.round(ms / 1000)} s)`) },
  );
}

export async function change(
  { voices }: Parlance,
  id: string,
  voiceChange: VoiceChange,
  signal: AbortSignal,
): Promise<VoiceModel> {
  if (Object.keys(voiceChange).length === 0)
    throw new UsageError("nothing to change: give --title, --tag or another option");
  return voices.update(id, voiceChange, { signal });
}

async function readBlob(path: string): Promise<Blob> {
  try {
    return new File([await readFile(path)], basename(path));
  } catch (error) {
    throw new Error(`cannot read ${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
