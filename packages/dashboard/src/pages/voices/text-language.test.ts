import assert from "node:assert/strict";
import { test } from "node:test";
import { textLanguage } from "./text-language.ts";

test("finds the language of a text while it is typed", () => {
  const texts: readonly (readonly [string, string | undefined])[] = [
    ["", undefined],
    ["Hola", undefined],
    ["The weather is nice and they will stay.", "en"],
    ["Buenos días, ¿cómo está usted? Hay una carta para los niños.", "es"],
    ["Je suis dans la maison avec les enfants et vous.", "fr"],
    ["Non sono a casa, ma il libro è nella borsa.", "it"],
    ["Você não está em casa, mas o livro é muito bom.", "pt"],
    ["Das ist nicht der Hund, und ich habe auch keine Katze.", "de"],
    ["こんにちは、元気ですか。", "ja"],
    ["今天天气很好。", "zh"],
    ["आज मौसम अच्छा है।", "hi"],
    ["12345 67890 !!", undefined],
  ];
  for (const [text, language] of texts) assert.equal(textLanguage(text), language, text);
});
