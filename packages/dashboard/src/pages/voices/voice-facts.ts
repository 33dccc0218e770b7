import type { VoiceModel } from "@parlance/protocol";

/** What a list of voices shows and is filtered by. */
export interface VoiceFacts {
  /** "English". */
  readonly language: string;
  /** "United States"; empty where the voice does not say. */
  readonly accent: string;
  /** "female", "male" or empty. */
  readonly sex: string;
}

const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language" });
const REGIONS = new Intl.DisplayNames(["en"], { type: "region" });
const SEXES = ["female", "male"];

export function factsOf({ languages, tags }: Pick<VoiceModel, "languages" | "tags">): VoiceFacts {
  // Tags of stock voices name the variety: `en-GB`.
  const variety = tags.find((tag) => /^[a-z]{2,3}-[A-Z]{2}$/.test(tag)) ?? languages[0] ?? "";
  const [code = "", region = ""] = variety.split("-");
  return {
    language: nameOf(LANGUAGES, code),
    accent: nameOf(REGIONS, region),
    sex: SEXES.find((sex) => tags.includes(sex)) ?? "",
  };
}

function nameOf(names: Intl.DisplayNames, code: string): string {
  try {
    return code === "" ? "" : (names.of(code) ?? code);
  } catch {
    return code;
  }
}

/** Whether all words of the search are in the title, the description or the facts of the voice. */
export function matches(voice: VoiceModel, search: string): boolean {
  const { language, accent, sex } = factsOf(voice);
  const haystack = [voice.title, voice.description, voice._id, language, accent, sex, ...voice.tags]
    .join(" ")
    .toLowerCase();
  // Whole words: "male" is not "female".
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => word === "" || new RegExp(`(^|[^\\p{L}\\p{N}])${escapeWord(word)}`, "u").test(haystack));
}

function escapeWord(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
