import { engineDescriptors } from "../engines/registry.ts";

/** The slugs of the default voices for a BCP 47 tag, best first: those of the tag itself, then those of its language. */
function defaultSlugs(tag = ""): readonly string[] {
  const language = tag.split("-")[0]?.toLowerCase() ?? "";
  return engineDescriptors.flatMap(({ defaultVoices }) =>
    [defaultVoices[tag], defaultVoices[language]].filter((slug) => slug !== undefined),
  );
}

/** The default voice among these, for a language (BCP 47) or in general. Undefined when none of them speaks the language. */
export function defaultVoiceOf<Voice extends { readonly slug: string }>(
  voices: readonly Voice[],
  language?: string,
): Voice | undefined {
  for (const slug of defaultSlugs(language)) {
    const voice = voices.find((other) => other.slug === slug);
    if (voice) return voice;
  }
  return language === undefined ? voices[0] : undefined;
}
