import { chinese } from "./chinese/chinese.ts";
import { english } from "./english/english.ts";
import { french } from "./french/french.ts";
import { german } from "./german/german.ts";
import { hindi } from "./hindi/hindi.ts";
import { indonesian } from "./indonesian/indonesian.ts";
import { italian } from "./italian/italian.ts";
import { japanese } from "./japanese/japanese.ts";
import { portuguese } from "./portuguese/portuguese.ts";
import type { Language, Reader } from "./rules/reader.ts";
import { spanish } from "./spanish/spanish.ts";

const LANGUAGES: readonly Language[] = [
  ...[english, spanish, portuguese, french, italian, hindi, japanese, chinese],
  ...[german, indonesian],
];

const byCode: ReadonlyMap<string, Language> = new Map(LANGUAGES.map((language) => [language.code, language]));

/** The reader of a language ("en-us", "pt-br", "es"), or undefined if it has no rules. */
export const readerOf = (tag: string): Reader | undefined =>
  byCode.get(tag.toLowerCase().split(/[-_]/)[0] ?? "")?.reader(tag.toLowerCase());
