import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cardinal, decimals, denominator, digitByDigit, ordinal } from "./number-words.ts";

describe("French number words", () => {
  it("count by twenties above sixty", () => {
    for (const [digits, words] of [
      ["16", "seize"],
      ["21", "vingt-et-un"],
      ["61", "soixante-et-un"],
      ["70", "soixante-dix"],
      ["71", "soixante-et-onze"],
      ["80", "quatre-vingts"],
      ["81", "quatre-vingt-un"],
      ["91", "quatre-vingt-onze"],
      ["99", "quatre-vingt-dix-neuf"],
    ] as const)
      assert.equal(cardinal(digits), words);
  });
  it("give cent and vingt an s only where nothing follows", () => {
    assert.equal(cardinal("200"), "deux cents");
    assert.equal(cardinal("203"), "deux cent trois");
    assert.equal(cardinal("200000"), "deux cent mille");
    assert.equal(cardinal("80000"), "quatre-vingt mille");
    assert.equal(cardinal("80000000"), "quatre-vingts millions");
    assert.equal(cardinal("1000"), "mille");
    assert.equal(cardinal("1001000000"), "un milliard un million");
  });
  it("agree with a feminine noun", () => {
    assert.equal(cardinal("1", "f"), "une");
    assert.equal(cardinal("31", "f"), "trente-et-une");
    assert.equal(cardinal("11", "f"), "onze");
  });
  it("make ordinals", () => {
    for (const [digits, words] of [
      ["1", "premier"],
      ["2", "deuxième"],
      ["5", "cinquième"],
      ["9", "neuvième"],
      ["21", "vingt-et-unième"],
      ["80", "quatre-vingtième"],
      ["200", "deux centième"],
      ["4000", "quatre millième"],
    ] as const)
      assert.equal(ordinal(digits), words);
    assert.equal(ordinal("1", "f"), "première");
  });
  it("name denominators", () => {
    assert.equal(denominator("2", false), "demi");
    assert.equal(denominator("3", true), "tiers");
    assert.equal(denominator("4", true), "quarts");
    assert.equal(denominator("12", true), "douzièmes");
  });
  it("group decimals, and say each zero", () => {
    assert.equal(decimals("5"), "cinq");
    assert.equal(decimals("05"), "zéro cinq");
    assert.equal(decimals("14"), "quatorze");
    assert.equal(decimals("250"), "deux cent cinquante");
    assert.equal(decimals("1416"), "quatorze seize");
    assert.equal(decimals("14159"), "quatorze cent cinquante-neuf");
    assert.equal(decimals("00"), "zéro zéro");
  });
  it("read what is too long digit by digit", () => {
    assert.equal(cardinal("2".repeat(30)), digitByDigit("2".repeat(30)));
    assert.equal(decimals("123456789"), digitByDigit("123456789"));
  });
});
