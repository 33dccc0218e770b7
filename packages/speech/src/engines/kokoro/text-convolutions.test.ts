import assert from "node:assert/strict";
import { test } from "node:test";
import { testModels } from "../../testing/models.ts";
import { readGraph } from "../onnx/read-graph.ts";
import { floatsOf, integers, openSession } from "../session.ts";
import { kokoro } from "./descriptor.ts";
import { textConvolutions } from "./text-convolutions.ts";

const output = "/encoder/text_encoder/cnn.2/cnn.2.0/Conv_output_0";

test("the convolutions as products give the same numbers", { timeout: 60_000 }, async () => {
  const { model } = await kokoro.locate(await testModels("kokoro-q8"), "fast");
  const graph = await readGraph(model);
  const run = async (added: ReturnType<typeof textConvolutions>, tokens: readonly number[]) => {
    const stage = graph.cut(
      [{ name: "input_ids", type: "int64", shape: [1, "tokens"] }],
      [{ name: output, type: "float32", shape: [1, "channels", "tokens"] }],
      added,
    );
    const session = await openSession(stage, 1);
    const result = floatsOf(await session.run({ input_ids: integers(tokens, 1, tokens.length) }), output);
    await session.release();
    return result;
  };
  for (const count of [1, 3, 40]) {
    const tokens = Array.from({ length: count }, (_, i) => 40 + 2 * i);
    const expected = await run([], tokens);
    assert.equal(expected.length, 512 * count);
    assert.deepEqual(await run(textConvolutions(), tokens), expected);
  }
});
