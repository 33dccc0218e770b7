import { defaultVoiceOf, stockVoices, type Voice } from "@parlance/speech";
import { UsageError } from "../errors.ts";

/** By short name, id or title, case-insensitive; by default the default voice. */
export function chooseVoice(name: string | undefined): Voice {
  const defaultVoice = defaultVoiceOf(stockVoices);
  if (!defaultVoice) throw new Error("there are no voices");
  if (name === undefined) return defaultVoice;
  const key = name.toLowerCase();
  const exact = stockVoices.find(({ slug, id }) => slug === key || id === key);
  const titled = stockVoices.filter(({ title }) => title.toLowerCase() === key);
  const found = exact ?? titled[0];
  if (found) return found;
  const near = stockVoices.filter(({ slug }) => slug.includes(key) || key.includes(slug)).map(({ slug }) => slug);
  const hint = near.length > 0 ? `did you mean ${near.slice(0, 5).join(", ")}?` : "see: parlance voices";
  if (/^[0-9a-f]{32}$/.test(key))
    throw new UsageError(`no stock voice has the id "${name}"; a cloned voice is on its server: --server URL`);
  throw new UsageError(`there is no voice named "${name}"; ${hint}`);
}
