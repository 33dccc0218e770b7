import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { NewVoice, Parlance, VoiceChange, VoiceQuery } from "@parlance/client";
import type { VoiceModel } from "@parlance/protocol";
import { UsageError } from "../errors.ts";
import { plain } from "../plain.ts";
import { formatTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";

const PAGE = 100;
const MOST = 1000;

/** The voices that a server has. */
export async function listServed(
  { voices }: Parlance,
  query: VoiceQuery,
  json: boolean,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const found: VoiceModel[] = [];
  for (let number = 1; found.length < MOST; number++) {
    const page = await voices.list({ ...query, page_size: PAGE, page_number: number }, { signal });
    found.push(...page.items);
    if (!page.has_more) break;
  }
  if (json) {
    terminal.print(JSON.stringify(found, null, 2));
    return;
  }
  if (found.length === 0) {
    terminal.tell("No voice is like that.");
    return;
  }
  const rows = found.map((voice) => [
    voice._id,
    voice.title,
    voice.languages.join(","),
    voice.visibility,
    voice.author.nickname || voice.author._id,
    String(voice.task_count),
  ]);
  const [head = "", ...lines] = formatTable([
    ["ID", "TITLE", "LANGUAGE", "SEEN BY", "OF", "USED"],
    ...rows.map((row) => row.map(plain)),
  ]);
  terminal.print(terminal.resultStyle.bold(head));
  for (const line of lines) terminal.print(line);
}

export function showVoice(voice: VoiceModel, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.print(JSON.stringify(voice, null, 2));
    return;
  }
  const facts: readonly (readonly [string, string])[] = [
    ["id", voice._id],
    ["title", voice.title],
    ["description", voice.description],
    ["state", voice.state],
    ["seen by", voice.visibility],
    ["languages", voice.languages.join(", ")],
    ["tags", voice.tags.join(", ")],
    ["of", `${voice.author.nickname} (${voice.author._id})`],
    ["made", voice.created_at],
    ["changed", voice.updated_at],
    ["used", String(voice.task_count)],
    ["likes", String(voice.like_count)],
    ["sample", voice.samples[0]?.audio ?? ""],
  ];
  for (const line of formatTable(facts.map((row) => row.map(plain)))) terminal.print(line);
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
  { tell }: Pick<Terminal, "tell">,
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
    { signal, onWait: (reason, ms) => tell(`${reason.message} (waiting ${Math.round(ms / 1000)} s)`) },
  );
}

export async function change(
  { voices }: Parlance,
  id: string,
  wanted: VoiceChange,
  signal: AbortSignal,
): Promise<VoiceModel> {
  if (Object.keys(wanted).length === 0)
    throw new UsageError("nothing is to be changed: give --title, --tag or another");
  return voices.update(id, wanted, { signal });
}

async function readBlob(path: string): Promise<Blob> {
  try {
    return new File([await readFile(path)], basename(path));
  } catch (error) {
    throw new Error(`cannot read ${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
