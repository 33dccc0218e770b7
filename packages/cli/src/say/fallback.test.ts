import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { openPlayerSink } from "./play.ts";

async function playThrough(context: TestContext, script: string, failure?: RegExp) {
  const folder = await mkdtemp(join(tmpdir(), "parlance-fallback-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const command = join(folder, "aplay");
  await writeFile(command, script);
  await chmod(command, 0o755);
  const reasons: string[] = [];
  const path = join(folder, "speech.wav");
  const player = { name: "aplay", command, input: "stdin", failure, args: () => [] } as const;
  const fallback = { path, onUsed: ({ message }: Error) => void reasons.push(message) };
  const sink = await openPlayerSink(player, context.signal, fallback);
  for (let piece = 0; piece < 20; piece += 1) await sink.write(new Uint8Array(100_000).fill(piece));
  await sink.finish();
  return { reasons, path };
}

it("speech that cannot be played becomes a WAV file, with the reason in one line", async (context) => {
  const noise = "ALSA lib confmisc.c:855:(parse_card) cannot find card '0'";
  const { reasons, path } = await playThrough(context, `#!/bin/sh\necho "${noise}" >&2\necho more >&2\nexit 1\n`);
  assert.equal(reasons.length, 1);
  assert.match(reasons[0] ?? "", /^the player aplay failed \(code 1\): ALSA lib .*cannot find card '0'$/);
  const wav = await readFile(path);
  assert.equal(wav.length, 44 + 2_000_000);
  assert.equal(wav.readUInt32LE(40), 2_000_000);
  assert.equal(wav[44 + 1_999_999], 19);
});

it("speech that is played leaves no file", async (context) => {
  const { reasons, path } = await playThrough(context, "#!/bin/sh\ncat > /dev/null\n");
  assert.deepEqual(reasons, []);
  await assert.rejects(readFile(path), { code: "ENOENT" });
});

it("speech becomes a file, too, when the player exits as if it had played it", async (context) => {
  const script = "#!/bin/sh\necho 'audio open failed' >&2\ncat > /dev/null\n";
  const { reasons, path } = await playThrough(context, script, /audio open failed/);
  assert.deepEqual(reasons, ["the player aplay failed (code 0): audio open failed"]);
  assert.equal((await readFile(path)).length, 44 + 2_000_000);
});
