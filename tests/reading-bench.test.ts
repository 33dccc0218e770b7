import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { casesOf } from "../bench/reading/cases.ts";
import { fold } from "../bench/reading/fold.ts";
import { benchReading } from "../bench/reading.ts";

describe("the bench of reading", () => {
  const root = mkdtempSync(join(tmpdir(), "parlance-reading-"));
  after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "es"));
  mkdirSync(join(root, "xx"));
  writeFileSync(join(root, "es", "money.txt"), "5 €~Cinco euros.\n3 kg~tres kilos~tres kilogramos\n2 €~tres euros\n");
  writeFileSync(join(root, "es", "word.txt"), "~\n~nada\nsin tilde\n");

  it("counts what is read right by language and class", async () => {
    assert.deepEqual(await benchReading(["--cases", root]), {
      es: { cases: 3, right: 2, classes: { money: { cases: 3, right: 2 } } },
    });
  });

  it("skips lines without a written or a spoken part", () => {
    assert.deepEqual(casesOf(join(root, "es"))[1], { name: "word", cases: [] });
  });

  it("compares words without case, punctuation, hyphens and conventions", () => {
    assert.equal(fold("Twenty-one, and THREE.", "en-us"), "twenty one three");
    assert.equal(fold("F.B.I and f b i and FBI", "en-us"), "fbi fbi fbi");
    assert.equal(fold("二 十 一", "zh"), "二十一");
    assert.notEqual(fold("dos euros", "es"), fold("dos euro", "es"));
  });
});
