import type { ChineseScript } from "../transcript.ts";
import type { TranscribedWord } from "./transcribe-span.ts";

/** Writes the Chinese words in simplified or traditional characters. The tables are loaded when they are first needed. */
export async function inScript(
  words: readonly TranscribedWord[],
  script: ChineseScript,
): Promise<readonly TranscribedWord[]> {
  if (!words.some(({ language }) => language === "zh")) return words;
  const convert = await converterTo(script);
  // The right character depends on those around it, which may be in another word: 发 is 髮 in 头发 and 發 in 发现.
  const chinese = words.filter(({ language }) => language === "zh");
  const characters = [...convert(chinese.map(({ text }) => text).join(""))];
  const count = chinese.reduce((sum, { text }) => sum + [...text].length, 0);
  const isAligned = characters.length === count;
  return words.map((word) => {
    if (word.language !== "zh") return word;
    const text = isAligned ? characters.splice(0, [...word.text].length).join("") : convert(word.text);
    return { ...word, text };
  });
}

async function converterTo(script: ChineseScript): Promise<(text: string) => string> {
  if (script === "Hans") return (await import("opencc-js/t2cn")).Converter({ from: "t", to: "cn" });
  return (await import("opencc-js/cn2t")).Converter({ from: "cn", to: "t" });
}
