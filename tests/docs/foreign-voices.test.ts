import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { ELEVENLABS_VOICES } from "../../packages/server/src/services/voices/elevenlabs-voices.ts";
import { FOREIGN_VOICES } from "../../packages/server/src/services/voices/foreign-voices.ts";
import { kokoroVoices } from "../../packages/speech/src/engines/kokoro/voices.ts";
import { piperVoices } from "../../packages/speech/src/engines/piper/voices.ts";

it("voices of other services are spoken by stock voices, as docs/elevenlabs.md and docs/openai.md list them", () => {
  const rowsOf = (page: string, pattern: RegExp) =>
    [...readFileSync(page, "utf8").matchAll(pattern)].map(([, name, ...voices]) => [name, voices]).sort();
  const row = /^\| `(\w{20})` \| \w+ \| `(\w+)` \| `(\w+)` \|$/gm;
  assert.deepEqual(rowsOf("docs/elevenlabs.md", row), Object.entries(ELEVENLABS_VOICES).sort());
  const others = Object.entries(FOREIGN_VOICES).filter(([name]) => !Object.hasOwn(ELEVENLABS_VOICES, name));
  assert.deepEqual(rowsOf("docs/openai.md", /\| `([a-z]+)` \| `(\w{2}_\w+)` \| `(\w+)` /g), others.sort());
  for (const [name, [kokoro, piper]] of Object.entries(FOREIGN_VOICES)) {
    assert.ok(kokoroVoices.some(({ slug }) => slug === kokoro) && piperVoices.some(({ slug }) => slug === piper), name);
  }
});

it("the voice aliases of docs/compatibility.md are read, name every id that it lists, and are voices", () => {
  const page = readFileSync("docs/compatibility.md", "utf8");
  const examples = [...page.matchAll(/^PARLANCE_VOICE_ALIASES='([^']+)'$/gm)].map(
    ([, text]) => readConfig({ PARLANCE_VOICE_ALIASES: text ?? "" }).config.voiceAliases,
  );
  assert.equal(examples.length, 2);
  const listed = [...page.matchAll(/^\| `([0-9a-f]{32})` \| /gm)].map(([, id]) => id);
  assert.ok(listed.length >= 3);
  assert.deepEqual(Object.keys(examples[0] ?? {}).sort(), [...listed, "*"].sort());
  for (const voice of examples.flatMap((example) => Object.values(example)))
    assert.ok(
      kokoroVoices.some(({ slug }) => slug === voice),
      voice,
    );
});
