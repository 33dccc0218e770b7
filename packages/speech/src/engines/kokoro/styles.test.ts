import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { nativePitch } from "./native-voices.ts";
import { STYLE_SIZE } from "./style-size.ts";
import { createStyles, type Styles } from "./styles.ts";

const ROWS = 2;
const HALF = STYLE_SIZE / 2;
let folder = "";
let styleOf: Styles;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-styles-"));
  const values = {
    af_heart: 0,
    am_michael: 20,
    ef_dora: 100,
    em_alex: 200,
    ff_siwis: 100,
    im_nicola: 110,
    zf_xiaoxiao: 120,
  };
  for (const [name, value] of Object.entries(values)) {
    const numbers = Array.from({ length: ROWS * STYLE_SIZE }, (_, i) => value + Math.floor(i / STYLE_SIZE));
    await writeFile(join(folder, `${name}.bin`), new Uint8Array(Float32Array.from(numbers).buffer));
  }
  styleOf = createStyles(folder);
});

after(() => rm(folder, { recursive: true, force: true }));

const heart = { language: "en-us", embedding: "af_heart" };
const michael = { language: "en-us", embedding: "am_michael" };
/** Timbre and prosody, each of which is one number here. */
const halves = (style: Float32Array) =>
  [style.subarray(0, HALF), style.subarray(HALF)].map((half) => [...new Set(half.map(Math.round))]);

test("a voice has its own style in its own language, in any variant of it", async () => {
  assert.deepEqual(halves(await styleOf(heart, 1, "en-us")), [[0], [0]]);
  assert.deepEqual(halves(await styleOf(heart, 1, "en-gb")), [[0], [0]]);
  assert.deepEqual(halves(await styleOf(heart, 9)), [[1], [1]], "the last row is for all longer texts");
});

test("in another language it takes on something of a native voice of its gender, more in prosody than in timbre", async () => {
  assert.deepEqual(halves(await styleOf(heart, 1, "es")), [[30], [50]]);
  assert.deepEqual(halves(await styleOf(michael, 1, "es")), [[74], [110]]);
  assert.deepEqual(halves(await styleOf(heart, 1, "fr-fr")), [[50], [70]], "French needs more");
});

test("in a mix the heaviest voice decides about the gender", async () => {
  const mix = (of: number) => [
    { name: "af_heart", weight: of },
    { name: "am_michael", weight: 1 - of },
  ];
  assert.deepEqual(halves(await styleOf({ ...heart, embedding: mix(0.75) }, 1, "es")), [[34], [53]]);
  assert.deepEqual(halves(await styleOf({ ...heart, embedding: mix(0.25) }, 1, "es")), [[71], [108]]);
});

test("a man takes a little of a French woman's timbre, and keeps his pitch", async () => {
  assert.deepEqual(halves(await styleOf(michael, 1, "fr-fr")), [[36], [76]]);
  assert.ok(nativePitch(michael, "fr-fr") > 1.3, "the prosody would be that much higher");
});

test("without a native voice, or given as numbers, a voice stays as it is", async () => {
  assert.deepEqual(halves(await styleOf(heart, 1, "nl")), [[0], [0]]);
  const numbers = new Float32Array(STYLE_SIZE).fill(2);
  assert.deepEqual(halves(await styleOf({ ...heart, embedding: numbers }, 1, "es")), [[2], [2]]);
});

test("a cloned voice keeps most of its timbre in every language, and the prosody of a stock voice is mixed with a native one", async () => {
  const clone = { language: "en-us", embedding: new Float32Array(HALF).fill(9), prosody: "am_michael" };
  assert.deepEqual(halves(await styleOf(clone, 1, "en-us")), [[9], [20]]);
  assert.deepEqual(halves(await styleOf(clone, 9, "en-us")), [[9], [21]], "by the length of the text");
  assert.deepEqual(halves(await styleOf(clone, 1, "es")), [[9], [110]], "half of a native voice's prosody");
  const french = halves(await styleOf({ ...clone, prosody: "af_heart" }, 1, "fr-fr"));
  assert.deepEqual(french, [[29], [70]], "a fifth of the way to a native timbre, where a stock voice goes half of it");
  assert.deepEqual(
    halves(await styleOf(clone, 1, "it")),
    [[27], [65]],
    "a fifth of the way from the stock voice's timbre to a native one's in Italian",
  );
  const chinese = halves(await styleOf({ ...clone, prosody: "af_heart" }, 1, "zh"));
  assert.deepEqual(chinese, [[9], [120]], "a native woman's prosody alone in Chinese");
  const timbre = (await styleOf(clone, 1, "es")).subarray(0, HALF);
  assert.ok(new Set(timbre).size > HALF / 2, "each number has the offset of the language");
  await assert.rejects(
    styleOf({ ...clone, embedding: new Float32Array(512) }, 1),
    /a timbre of Kokoro has 128 numbers/,
  );
});

test("a cloned voice keeps its pitch beside a native voice", () => {
  const clone = { language: "en-us", embedding: new Float32Array(HALF), prosody: "am_michael" };
  assert.ok(nativePitch(clone, "es") > 1, "em_alex is higher");
  assert.ok(nativePitch({ ...clone, prosody: "af_heart" }, "ja") > 1.1, "jf_alpha is higher");
  assert.ok(
    nativePitch({ ...clone, prosody: "am_puck" }, "es") > 1.05,
    "no prosody of cloned voices: by the pitches of both",
  );
  assert.equal(nativePitch(clone, "en-gb"), 1);
  assert.equal(nativePitch(michael, "es"), 1, "stock voices are as they are");
});
