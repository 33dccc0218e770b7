import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { noise } from "../../../testing/signals.ts";
import { fuseNodes } from "../../onnx/fuse.ts";
import { gradientOf } from "../../onnx/gradient/gradient.ts";
import { normalizeRows } from "../../onnx/row-patterns.ts";
import { floats, floatsOf, openSession } from "../../session.ts";
import { withVoiceGradient } from "./gradient.ts";
import { MODULATION, OUTPUTS } from "./offsets.ts";
import { BINS, CONDITION, CONTEXT, FEATURES } from "./shape.ts";
import { studentFile } from "./student-file.ts";

const FRAMES = 5;
const rows = FRAMES + 2 * CONTEXT;
const sizes = Object.fromEntries(MODULATION.map((name) => [name, 896]));

test("offsets of zero leave the network as it is, and others do not", { timeout: 60_000 }, async () => {
  const file = await readFile(studentFile);
  const session = await openSession(withVoiceGradient(file), 1);
  const original = await openSession(fuseNodes(file, [normalizeRows]), 1);
  const feeds = {
    features: floats(noise(rows * FEATURES, 0.3), 1, rows, FEATURES),
    condition: floats(noise(CONDITION, 0.3, 2), 1, CONDITION),
  };
  const none = Object.fromEntries(
    Object.entries(sizes).map(([name, size]) => [name, floats(new Float32Array(size), 1, size)]),
  );
  const given = Object.fromEntries(
    OUTPUTS.map((name) => [gradientOf(name), floats(new Float32Array(FRAMES * BINS).fill(1), 1, FRAMES, BINS)]),
  );
  const expected = await original.run(feeds);
  const found = await session.run({ ...feeds, ...none, ...given });
  for (const name of OUTPUTS) assert.deepEqual(floatsOf(found, name), floatsOf(expected, name));
  for (const [name, size] of Object.entries({ ...sizes, condition: CONDITION })) {
    const gradient = floatsOf(found, gradientOf(name));
    assert.deepEqual(found[gradientOf(name)]?.dims, [1, size]);
    assert.ok(gradient.some((value) => value !== 0) && gradient.every(Number.isFinite), name);
  }
  for (const [name, size] of Object.entries(sizes)) {
    const some = { [name]: floats(new Float32Array(size).fill(0.5), 1, size) };
    const changed = await session.run({ ...feeds, ...none, ...given, ...some });
    assert.notDeepEqual(floatsOf(changed, "gain_re"), floatsOf(expected, "gain_re"), name);
  }
  await Promise.all([session.release(), original.release()]);
});
