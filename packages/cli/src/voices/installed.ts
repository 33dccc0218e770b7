import { type EngineName, engineNames, stockVoices } from "@parlance/speech";
import type { Context } from "../context.ts";
import { modelOf, openModelStore } from "../models.ts";
import { formatTable } from "../table.ts";

export interface InstalledFilter {
  readonly engine?: EngineName;
  readonly language?: string;
  readonly json?: boolean;
}

/** Lists the stock voices of the engines on this machine. */
export async function listInstalled(options: InstalledFilter, { environment, terminal }: Context): Promise<void> {
  const store = openModelStore(environment);
  const installed = new Set<EngineName>();
  for (const engine of engineNames) if (await store.has(modelOf(engine))) installed.add(engine);
  const voices = stockVoices
    .filter(({ engine }) => options.engine === undefined || engine === options.engine)
    .filter(({ language }) => options.language === undefined || matchesLanguage(language, options.language))
    .map(({ id, slug, title, description, engine, language, gender }) => ({
      id,
      slug,
      title,
      description,
      engine,
      language,
      gender,
      installed: installed.has(engine),
    }));
  if (options.json) {
    terminal.print(JSON.stringify(voices, null, 2));
    return;
  }
  if (voices.length === 0) {
    terminal.notify("No voice matches. List all: parlance voices");
    return;
  }
  const rows = voices.map(({ slug, language, gender, engine, description }) => [
    slug,
    language,
    gender,
    engine,
    description,
  ]);
  const [head = "", ...lines] = formatTable([["NAME", "LANGUAGE", "SEX", "ENGINE", "DESCRIPTION"], ...rows]);
  terminal.print(terminal.resultStyle.bold(head));
  for (const [index, line] of lines.entries())
    terminal.print(voices[index]?.installed ? line : terminal.resultStyle.dim(line));
  for (const engine of engineNames) {
    const missing = voices.filter((voice) => voice.engine === engine && !voice.installed).length;
    if (missing > 0)
      terminal.notify(
        `The model of the ${missing} ${engine} voices is not installed: parlance models pull ${modelOf(engine)}`,
      );
  }
}

/** "en" matches every English voice, "en-gb" only the British ones. */
function matchesLanguage(language: string, requested: string): boolean {
  const [tag, prefix] = [language.toLowerCase(), requested.toLowerCase().replace("_", "-")];
  return tag === prefix || tag.startsWith(`${prefix}-`);
}
