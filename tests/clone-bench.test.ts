import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Made, rowsOf, summaryOf } from "../bench/clone/figures.ts";
import type { SpokenVoice } from "../bench/clone/measure-voice.ts";
import { readOptions } from "../bench/clone/options.ts";
import { pageOf } from "../bench/clone/page.ts";
import { pageSpeaker } from "../bench/clone/page-speaker.ts";
import { evenlySpaced } from "../bench/clone/speakers.ts";

/** A voice in two dimensions, at an angle from the first speaker. */
function voiceAt(degrees: number, file: string, errors = 0): SpokenVoice {
  const vector = Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
  return {
    ...{ vector, second: vector, networkVector: undefined, pitch: 200, pitchRange: 0.3 },
    ...{ files: [file], misheard: { errors, total: 10 }, misheardBySecond: undefined },
  };
}

const sound = { embedding: new Float32Array(1), prosody: "", pitch: 1, pitchRange: 1, pace: 1, encoder: "" };
const similarity = { before: 0.5, after: 0.7 };

function madeOf(speaker: string, own: number, at: number, refined: Made["refined"]): Made {
  const held = voiceAt(own, "");
  const clones = new Map([["en", voiceAt(at, `results/${speaker}/en-1.wav`, 2)]]);
  const stock = new Map([["en", voiceAt(45, "", 1)]]);
  return {
    speaker,
    original: `results/${speaker}/original.wav`,
    reference: held,
    held,
    seconds: 1,
    clones,
    refined,
    stock,
  };
}

/** The voice at once is nearest to the other speaker, the refined voice to its own. */
const kept = madeOf("Ada", 0, 60, {
  refinement: { voice: sound, similarity, cpuSeconds: 160 },
  clones: new Map([["en", voiceAt(30, "results/Ada/refined/en-1.wav", 1)]]),
});
const unrefined = madeOf("Bob", 90, 90, undefined);
const unkept: Made = {
  ...unrefined,
  refined: { refinement: { voice: undefined, similarity, cpuSeconds: 170 }, clones: unrefined.clones },
};

describe("the bench of cloned voices", () => {
  it("has a row for the refined voice beside the voice at once", () => {
    const rows = rowsOf([kept, unkept], [kept, unkept]);
    assert.deepEqual(
      rows.map((row) => [
        row.speaker,
        row.voice,
        row.cosine,
        row.rank,
        row["misheard %"],
        row.kept,
        row["CPU seconds"],
      ]),
      [
        ["Ada", "at once", 0.5, 2, 20, undefined, undefined],
        ["Ada", "refined", 0.866, 1, 10, "yes", 160],
        ["Bob", "at once", 1, 1, 20, undefined, undefined],
        ["Bob", "refined", 1, 1, 20, "no", 170],
      ],
    );
  });

  it("counts a voice whose refinement is not kept as it is", () => {
    const summary = summaryOf(["en"], rowsOf([kept, unkept], [kept, unkept]));
    assert.deepEqual(
      summary.map((row) => [row.voice, row.speakers, row["mean cosine"], row["rank 1"], row["misheard %"], row.kept]),
      [
        ["at once", 2, 0.75, 1, 20, undefined],
        ["refined", 2, 0.933, 2, 15, 1],
      ],
    );
    assert.equal(summary[1]?.["mean CPU seconds"], 165);
  });

  it("has no columns of refined voices where voices are not refined", () => {
    const rows = rowsOf([unrefined], [unrefined]);
    const [summary, ...others] = summaryOf(["en"], rows);
    assert.equal(others.length, 0);
    for (const name of ["voice", "kept", "CPU seconds", "mean CPU seconds"]) {
      assert.ok(!Object.keys({ ...rows[0], ...summary }).includes(name), name);
    }
  });

  it("plays the original, the clone at once and the refined clone", () => {
    const summary = summaryOf(["en"], rowsOf([kept], [kept]));
    const page = pageOf([pageSpeaker(kept, "results")], summary);
    assert.deepEqual(
      [...page.matchAll(/<strong>(.*?)<\/strong>\n<audio .*? src="(.*?)"/g)].map(([, title, file]) => [title, file]),
      [
        ["original", "Ada/original.wav"],
        ["clone, English", "Ada/en-1.wav"],
        ["refined clone, English", "Ada/refined/en-1.wav"],
      ],
    );
    assert.match(
      page,
      /Refinement: kept, similarity to speech that was left out 0\.5 before, 0\.7 after, 160 s of CPU time\./,
    );
    const cells = [...page.matchAll(/<tr>.*<\/tr>/g)].map(([line]) => line.split("</t").length);
    assert.equal(new Set(cells).size, 1, "all lines of the table have the same number of cells");
  });

  it("plays what is compared in one row: a language where voices are refined, else all languages", () => {
    const voices = new Map(["en", "fr"].map((language) => [language, voiceAt(30, language)]));
    const titlesOf = (made: Made) => pageSpeaker(made, "").rows.map((clips) => clips.map(({ title }) => title));
    assert.deepEqual(titlesOf({ ...unrefined, clones: voices }), [["original", "clone, English", "clone, French"]]);
    const { refinement } = unkept.refined ?? assert.fail();
    assert.deepEqual(titlesOf({ ...unkept, clones: voices, refined: { refinement, clones: voices } }), [
      ["original", "clone, English", "refined clone (not kept), English"],
      ["original", "clone, French", "refined clone (not kept), French"],
    ]);
  });

  it("chooses people evenly spaced over the list", () => {
    const people = ["a", "b", "c", "d", "e", "f", "g"];
    assert.deepEqual(evenlySpaced(people, 1), ["a"]);
    assert.deepEqual(evenlySpaced(people, 3), ["a", "d", "f"]);
    for (const count of [7, 8, 100]) assert.deepEqual(evenlySpaced(people, count), people);
    for (let count = 1; count <= 29; count++) {
      assert.equal(evenlySpaced(Array.from({ length: 29 }), count).length, count);
    }
  });

  it("refuses counts that are not whole numbers above 0", () => {
    assert.equal(readOptions(["--limit", "3"])?.limit, 3);
    for (const value of ["0", "1.5", "x", ""]) {
      assert.throws(() => readOptions(["--limit", value]), /--limit must be a whole number above 0/);
    }
  });
});
