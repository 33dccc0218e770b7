import assert from "node:assert/strict";
import { it } from "node:test";
import { traceIdOf } from "./trace.ts";

const trace = "0af7651916cd43dd8448eb211c80319c";
const parent = "b7ad6b7169203331";

it("continues a valid trace, of this version or a later one", () => {
  for (const header of [`00-${trace}-${parent}-01`, `00-${trace}-${parent}-00`, `cc-${trace}-${parent}-01-more`]) {
    assert.equal(traceIdOf(header), trace);
  }
});

it("starts a new trace for everything else", () => {
  const seen = new Set<string>();
  for (const header of [
    undefined,
    "",
    "nonsense",
    [`00-${trace}-${parent}-01`, `00-${trace}-${parent}-01`],
    `ff-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01-more`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${"0".repeat(32)}-${parent}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace}-${parent}-1`,
  ]) {
    const id = traceIdOf(header);
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.notEqual(id, trace);
    seen.add(id);
  }
  assert.equal(seen.size, 10);
});
