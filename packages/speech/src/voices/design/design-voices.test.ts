import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pitchOf } from "../../engines/voice-pitch.ts";
import { stockVoices } from "../stock-voices.ts";
import { designVoices, findMixedVoice } from "./design-voices.ts";

const design = (description: string, options: { language?: string; count?: number; seed?: number } = {}) =>
  designVoices(description, stockVoices, { count: 4, seed: 1, ...options });
const stock = (slug: string) => stockVoices.find((voice) => voice.slug === slug) ?? assert.fail(slug);
const partsOf = (designs: ReturnType<typeof design>) =>
  designs.flatMap(({ voice }) => voice.mix.parts.map((part) => stock(part.voice)));

describe("a designed voice", () => {
  it("is mixed from voices of the sex, the accent and the engine that fit", () => {
    const british = partsOf(design("A British man"));
    assert.ok(
      british.every(
        ({ gender, language, engine }) => gender === "male" && language === "en-GB" && engine === british[0]?.engine,
      ),
    );
    assert.ok(partsOf(design("une femme", { language: "fr" })).every(({ language }) => language === "fr-FR"));
    assert.ok(partsOf(design("a woman")).every(({ gender }) => gender === "female"));
  });

  it("is lower or higher as described, and within natural limits", () => {
    const hertz = (description: string) =>
      design(description).reduce((sum, { voice: { mix } }) => {
        const total = mix.parts.reduce((all, { weight }) => all + weight, 0);
        return (
          sum + mix.pitch * mix.parts.reduce((all, part) => all + (pitchOf(stock(part.voice)) * part.weight) / total, 0)
        );
      }, 0) / 4;
    const [low, usual, high] = [hertz("a man with a very deep voice"), hertz("a man"), hertz("a man, high-pitched")];
    assert.ok(low < usual && usual < high, `${low} ${usual} ${high}`);
    for (const { voice } of design("a very very high squeaky child, extremely fast and excited")) {
      assert.ok(voice.mix.pitch >= 0.82 && voice.mix.pitch <= 1.25 && voice.mix.pace >= 0.7 && voice.mix.pace <= 1.4);
    }
  });

  it("differs between candidates, and is the same for the same seed", () => {
    const ids = design("a calm woman").map(({ voice }) => voice.id);
    assert.equal(new Set(ids).size, 4);
    assert.deepEqual(
      design("a calm woman").map(({ voice }) => voice.id),
      ids,
    );
    assert.notDeepEqual(
      design("a calm woman", { seed: 2 }).map(({ voice }) => voice.id),
      ids,
    );
  });

  it("is made of one voice where there is no other, and of none for a language that no voice speaks", () => {
    const [only] = design("une femme", { language: "fr-FR", count: 1 });
    assert.deepEqual(only?.voice.mix.parts, [{ voice: "ff_siwis", weight: 100 }]);
    assert.equal(new Set(design("une femme", { language: "fr" }).map(({ voice }) => voice.id)).size, 4);
    assert.deepEqual(design("Finnish", { language: "fi" }), []);
    assert.deepEqual(designVoices("a man", [], { count: 2, seed: 1 }), []);
  });

  it("is found again by its id", () => {
    for (const { voice } of design("a calm old man")) assert.deepEqual(findMixedVoice(voice.id, stockVoices), voice);
  });

  it("is not found by other ids", () => {
    for (const id of [
      "",
      "mix",
      "mix.pitch-100.pace-100",
      "mix.nobody-100.pitch-100.pace-100",
      "mix.af_heart-0.pitch-100.pace-100",
      "mix.af_heart-50.clara-50.pitch-100.pace-100",
      "mix.af_heart-100.pitch-300.pace-100",
      "mix.af_heart-100.pitch-100.pace-10",
      "mix.af_heart-100.af_sky-100.af_nova-1.af_bella-1.af_kore-1.pitch-100.pace-100",
      `mix${".af_heart-100".repeat(10_000)}.pitch-100.pace-100`,
    ]) {
      assert.equal(findMixedVoice(id, stockVoices), undefined, id.slice(0, 60));
    }
  });
});
