import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cardinal, digitByDigit, ordinal, quarters, year } from "./number-words.ts";

describe("Hindi number words", () => {
  it("have a word of their own below a hundred", () => {
    const words = Array.from({ length: 100 }, (_, n) => cardinal(String(n)));
    assert.equal(new Set(words).size, 100);
    assert.equal(words[29], "उनतीस");
    assert.equal(words[64], "चौंसठ");
  });
  it("count in lakh and crore", () => {
    assert.equal(cardinal("100"), "एक सौ");
    assert.equal(cardinal("7052"), "सात हज़ार बावन");
    assert.equal(cardinal("250000"), "दो लाख पचास हज़ार");
    assert.equal(cardinal("30000007"), "तीन करोड़ सात");
    assert.equal(cardinal("1400000000"), "एक अरब चालीस करोड़");
    assert.equal(cardinal("200000000000000000"), "दो शंख");
  });
  it("read what is too long digit by digit", () => {
    assert.equal(cardinal("1".repeat(20)), digitByDigit("1".repeat(20)));
  });
  it("say years of the second thousand in hundreds", () => {
    assert.equal(year("1947"), "उन्नीस सौ सैंतालीस");
    assert.equal(year("1800"), "अठारह सौ");
    assert.equal(year("2026"), "दो हज़ार छब्बीस");
    assert.equal(year("1050"), "एक हज़ार पचास");
  });
  it("keep gender and number in ordinals", () => {
    assert.equal(ordinal("1", "ी"), "पहली");
    assert.equal(ordinal("2", "े"), "दूसरे");
    assert.equal(ordinal("6", "ा"), "छठा");
    assert.equal(ordinal("16", "ीं"), "सोलहवीं");
    assert.equal(ordinal("25", "ें"), "पच्चीसवें");
  });
  it("say quarters before the number", () => {
    assert.equal(quarters(1, 50), "डेढ़");
    assert.equal(quarters(2, 50), "ढाई");
    assert.equal(quarters(7, 50), "साढ़े सात");
    assert.equal(quarters(1, 25), "सवा");
    assert.equal(quarters(4, 25), "सवा चार");
    assert.equal(quarters(4, 75), "पौने पाँच");
  });
});
