import assert from "node:assert/strict";
import { it } from "node:test";
import { inScript } from "./chinese-script.ts";

const word = (text: string, language = "zh") => ({ text, language, start: 0, end: 1, joined: true });

async function written(script: "Hans" | "Hant", ...texts: string[]): Promise<string[]> {
  return (
    await inScript(
      texts.map((text) => word(text)),
      script,
    )
  ).map(({ text }) => text);
}

it("writes Chinese in simplified or traditional characters, each word with its own", async () => {
  assert.deepEqual(await written("Hant", "我们", "学", "汉语"), ["我們", "學", "漢語"]);
  assert.deepEqual(await written("Hans", "我們", "學", "漢語"), ["我们", "学", "汉语"]);
});

it("chooses the character by those around it, also in another word", async () => {
  assert.deepEqual(await written("Hant", "头", "发", "发", "现"), ["頭", "髮", "發", "現"]);
});

it("leaves other languages as they are", async () => {
  const japanese = [word("学校", "ja"), word("发", "zh")];
  assert.deepEqual(
    (await inScript(japanese, "Hant")).map(({ text }) => text),
    ["学校", "發"],
  );
  assert.equal(await inScript([japanese[0] ?? word("")], "Hant").then(([first]) => first), japanese[0]);
});
