import assert from "node:assert/strict";
import { it } from "node:test";
import { moveToRegistry } from "./registry.ts";

it("changes tarball URLs of the public registry to the user's registry", () => {
  const address = "https://public.example/@a/b/-/b-1.tgz";
  const mirror = "https://mirror.example/npm/all";
  assert.equal(moveToRegistry(address, mirror, "public.example"), "https://mirror.example/npm/all/@a/b/-/b-1.tgz");
  assert.equal(moveToRegistry(address, mirror, "never"), address);
  const there = "https://mirror.example/npm/all/b.tgz";
  assert.equal(moveToRegistry(there, mirror, "always"), there);
  assert.equal(moveToRegistry("https://cdn.example/b.tgz", mirror, "public.example"), "https://cdn.example/b.tgz");
});
