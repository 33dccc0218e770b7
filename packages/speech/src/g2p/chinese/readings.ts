import { Converter } from "opencc-js/t2cn";
import { pinyin } from "pinyin-pro";
import type { CharacterReader } from "../characters.ts";
import { parseSyllable, type Syllable, symbolsOf } from "./syllables.ts";
import { type ReadCharacter, spokenTones } from "./tones.ts";

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const convert = Converter({ from: "t", to: "cn" });

/** Words whose 儿 is a syllable; elsewhere at the end of a word it only colors the one before. */
const CHILD_WORDS = /(?:女|婴|幼|孤|健|胎|小|孩|孙|侄|宠|婴幼|混血|新生|男)儿$/u;
/** Second syllables without tone, in words that dictionaries write with one. */
const NEUTRAL_WORDS = new Set(
  `东西 地方 知道 朋友 先生 学生 衣服 漂亮 清楚 明白 认识 喜欢 告诉 休息 事情 时候 关系 消息 客气 麻烦 窗户 头发 耳朵 眼睛 豆腐 萝卜 葡萄 玻璃
   意思 便宜 舒服 聪明 热闹 凉快 暖和 干净 力气 故事 钥匙 护士 大夫 师傅 丈夫 亲戚 姑娘 月亮 太阳 生意 买卖 收拾 商量 打听 咳嗽`.split(
    /\s+/,
  ),
);
/** 得 keeps its tone after them: "获得". */
const GAINED = new Set("获取赢博夺求所心难应两");
const PRONOUNS = new Set("我你您他她它们咱谁");

/** Reads a clause of Chinese characters: one result for each, in order. */
export const readCharacters: CharacterReader = (clause, numbers) => {
  const text = simplified(clause);
  const readings = pinyin(text, { toneType: "num", type: "array", v: true, toneSandhi: false });
  const characters: ReadCharacter[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const word = [...segment];
    for (const [index, character] of word.entries()) {
      const syllable = parseSyllable(readings[characters.length] ?? "");
      const before = characters.at(-1)?.character ?? "";
      characters.push({
        character,
        start: index === 0 || numbers.has(characters.length),
        syllable: syllable && inContext(syllable, character, index, word, before),
      });
    }
  }
  const spoken = spokenTones(characters);
  return characters.map(({ start }, index) => {
    const syllable = spoken[index];
    return { symbols: syllable === undefined ? "" : symbolsOf(syllable), start };
  });
};

/** Readings that depend on the word and that the dictionary has for the character alone. */
function inContext(
  syllable: Syllable,
  character: string,
  index: number,
  word: readonly string[],
  before: string,
): Syllable {
  const text = word.join("");
  if (character === "儿" && index > 0 && index === word.length - 1 && !CHILD_WORDS.test(text))
    return { letters: "er", tone: 0 };
  if (index === 1 && NEUTRAL_WORDS.has(text)) return { ...syllable, tone: 0 };
  const last = index === word.length - 1;
  if (character === "得" && last && before !== "" && !GAINED.has(before))
    return index === 0 && PRONOUNS.has(before) ? { letters: "dei", tone: 3 } : { letters: "de", tone: 0 };
  if (character === "地" && last && index > 1 && word[0] === word[1]) return { letters: "de", tone: 0 };
  return syllable;
}

/** In simplified characters, which the dictionary of readings has words for. The number of characters stays the same. */
function simplified(text: string): string {
  const converted = convert(text);
  return [...converted].length === [...text].length ? converted : [...text].map((c) => convert(c)).join("");
}
