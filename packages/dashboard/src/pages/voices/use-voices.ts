import type { VoiceModel } from "@parlance/protocol";
import { client } from "../../lib/server.ts";
import { type Loaded, useLoad } from "../../lib/use-load.ts";

const PAGE_SIZE = 100;
const MAX_PAGES = 10;

/** The voices that the account can use, at most a thousand: its own first, then those that it likes. */
export function useVoices(): Loaded<readonly VoiceModel[]> {
  return useLoad(async (signal) => {
    const own = await client.voices.list({ self: true, page_size: PAGE_SIZE }, { signal });
    const ownIds = new Set(own.items.map((voice) => voice._id));
    const others: VoiceModel[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { items, has_more } = await client.voices.list({ page_size: PAGE_SIZE, page_number: page }, { signal });
      others.push(...items.filter((voice) => !ownIds.has(voice._id)));
      if (!has_more) break;
    }
    return [...own.items, ...others.filter(({ liked }) => liked), ...others.filter(({ liked }) => !liked)];
  }, []);
}
