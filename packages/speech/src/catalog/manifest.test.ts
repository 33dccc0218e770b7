import assert from "node:assert/strict";
import { it } from "node:test";
import { downloadBytes } from "../models/model.ts";
import { manifest, selectModels } from "./manifest.ts";

it("pins every file by size and sha256, with a safe name", () => {
  for (const model of manifest) {
    assert.ok(model.licence && model.attribution && model.purpose, model.id);
    assert.equal(new Set(model.files.map(({ name }) => name)).size, model.files.length, model.id);
    for (const file of model.files) {
      assert.match(file.sha256, /^[0-9a-f]{64}$/);
      assert.match(file.name, /^[\w-]+([./][\w-]+)*$/, file.name);
      assert.ok(file.bytes > 0 && file.sources.length > 0);
    }
  }
});

it("has pieces that add up to their file", () => {
  for (const file of manifest.flatMap(({ files }) => files)) {
    for (const source of file.sources) {
      if (source.kind === "url") {
        assert.equal(new URL(source.url).protocol, "https:");
        continue;
      }
      assert.equal(
        source.pieces.reduce((sum, piece) => sum + piece.bytes, 0),
        file.bytes,
        file.name,
      );
      for (const { range, encoding, bytes, member } of source.pieces) {
        assert.match(member, /^package\//);
        if (range && encoding === undefined) assert.equal(range.end - range.start, bytes);
        if (range && encoding === "base64") assert.equal(Math.ceil(bytes / 3) * 4, range.end - range.start);
      }
    }
  }
});

it("has four default models, about 215 MB, the synthesis model first", () => {
  const chosen = selectModels(["default"]);
  assert.deepEqual(
    chosen.map(({ id }) => id),
    ["kokoro-q8", "moonshine-base", "whisper-base", "silero-vad"],
  );
  const megabytes = chosen.reduce((sum, model) => sum + downloadBytes(model), 0) / 1e6;
  assert.ok(megabytes > 200 && megabytes < 230, String(megabytes));
});

it("Kokoro's full weights need the quantized model with the voices", () => {
  const [quantized, full] = selectModels(["kokoro-fp32"]);
  assert.equal(quantized?.id, "kokoro-q8");
  assert.equal(full?.id, "kokoro-fp32");
  const voices = quantized?.files.filter(({ name }) => name.startsWith("voices/")) ?? [];
  assert.equal(voices.length, 54);
  for (const { name } of voices) assert.match(name, /^voices\/[abefhijpz][fm]_[a-z]+\.bin$/);
});

it("selects models by set and id, each once", () => {
  assert.deepEqual(
    selectModels(["kokoro", "kokoro-q8"]).map(({ id }) => id),
    ["kokoro-q8"],
  );
  assert.equal(selectModels(["all"]).length, manifest.length);
  assert.throws(() => selectModels(["kokorro"]), { code: "unknown-model" });
});
