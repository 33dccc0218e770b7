import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cardinal, decimals, denominator, digitByDigit, ordinal } from "./number-words.ts";

describe("Italian number words", () => {
  it("drop the vowel of the tens before another vowel", () => {
    for (const [digits, words] of [
      ["17", "diciassette"],
      ["21", "ventuno"],
      ["28", "ventotto"],
      ["33", "trentatré"],
      ["90", "novanta"],
      ["100", "cento"],
      ["180", "cento ottanta"],
      ["555", "cinquecento cinquantacinque"],
    ] as const)
      assert.equal(cardinal(digits), words);
  });
  it("count thousands and millions", () => {
    assert.equal(cardinal("1000"), "mille");
    assert.equal(cardinal("2008"), "duemila otto");
    assert.equal(cardinal("21000"), "ventunmila");
    assert.equal(cardinal("143000"), "cento quarantatremila");
    assert.equal(cardinal("1000000"), "un milione");
    assert.equal(cardinal("21000000"), "ventun milioni");
    assert.equal(cardinal("2000000001"), "due miliardi uno");
  });
  it("agree with the counted noun", () => {
    assert.equal(cardinal("1", "m"), "un");
    assert.equal(cardinal("1", "f"), "una");
    assert.equal(cardinal("2", "f"), "due");
  });
  it("make ordinals with gender and number", () => {
    for (const [digits, words] of [
      ["1", "primo"],
      ["6", "sesto"],
      ["11", "undicesimo"],
      ["20", "ventesimo"],
      ["23", "ventitreesimo"],
      ["36", "trentaseiesimo"],
      ["100", "centesimo"],
      ["1000", "millesimo"],
      ["2000", "duemillesimo"],
    ] as const)
      assert.equal(ordinal(digits), words);
    assert.equal(ordinal("3", "f"), "terza");
    assert.equal(ordinal("8", "m", true), "ottavi");
    assert.equal(denominator("2", false), "mezzo");
    assert.equal(denominator("4", true), "quarti");
  });
  it("say decimals as a number, and long rows digit by digit", () => {
    assert.equal(decimals("5"), "cinque");
    assert.equal(decimals("05"), "zero cinque");
    assert.equal(decimals("32"), "trentadue");
    assert.equal(decimals("1416"), digitByDigit("1416"));
    assert.equal(cardinal("3".repeat(25)), digitByDigit("3".repeat(25)));
  });
});
