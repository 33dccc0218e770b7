import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "./api-error.ts";
import { createFieldCollector, MAX_FORM_FIELDS } from "./form-fields.ts";

function collect(pairs: readonly (readonly [string, string])[]): Record<string, unknown> {
  const { add, fields } = createFieldCollector("body");
  for (const [name, value] of pairs) add(name, value);
  return { ...fields };
}

describe("the fields of a form", () => {
  it("are strings, or arrays where a name was repeated or numbered", () => {
    assert.deepEqual(
      collect([
        ["title", "a"],
        ["tags[0]", "x"],
        ["tags[]", "y"],
        ["tags", "z"],
        ["__proto__", "own"],
      ]),
      { title: "a", tags: ["x", "y", "z"], ["__proto__"]: "own" },
    );
  });

  it("are limited in number, whether their names differ or not", () => {
    for (const name of [() => "a", (index: number) => `a[${index}]`, (index: number) => `a${index}`]) {
      const pairs = (count: number) => Array.from({ length: count }, (_, index) => [name(index), ""] as const);
      collect(pairs(MAX_FORM_FIELDS));
      assert.throws(
        () => collect(pairs(MAX_FORM_FIELDS + 1)),
        (error) => error instanceof ApiError && error.status === 422 && error.issues[0]?.type === "too_many",
      );
    }
  });
});
