import { defaultVoiceOf, stockVoices, type Voice } from "@parlance/speech";
import { UsageError } from "../errors.ts";

/** By short name, id or title, in any case. Without a name: the house's default. */
export function chooseVoice(name: string | undefined): Voice {
  const usual = defaultVoiceOf(stockVoices);
  if (!usual) throw new Error("there are no voices");
  if (name === undefined) return usual;
  const wanted = name.toLowerCase();
  const exact = stockVoices.find(({ slug, id }) => slug === wanted || id === wanted);
  const titled = stockVoices.filter(({ title }) => title.toLowerCase() === wanted);
  const found = exact ?? titled[0];
  if (found) return found;
  const near = stockVoices.filter(({ slug }) => slug.includes(wanted) || wanted.includes(slug)).map(({ slug }) => slug);
  const hint = near.length > 0 ? `did you mean ${near.slice(0, 5).join(", ")}?` : "see: parlance voices";
  throw new UsageError(`there is no voice named "${name}"; ${hint}`);
}
