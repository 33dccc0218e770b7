const pageSize = 100;
const maxPages = 20;

interface Query {
  readonly page_number: number;
  readonly page_size: number;
}

interface VoicePage {
  readonly total: number;
  readonly items: readonly { readonly languages: readonly string[] }[];
}

/** The languages that voices of the server speak, in alphabetical order. Looks at 2000 voices at most. */
export async function voiceLanguages(list: (query: Query) => Promise<VoicePage>): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let page = 1; page <= maxPages; page += 1) {
    const { total, items } = await list({ page_number: page, page_size: pageSize });
    for (const language of items.flatMap((voice) => voice.languages)) found.add(language);
    if (page * pageSize >= total || items.length === 0) break;
  }
  return [...found].sort();
}
