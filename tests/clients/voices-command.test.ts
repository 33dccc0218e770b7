import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { voiceModel } from "@parlance/protocol";
import { runCli } from "../../packages/cli/src/testing/run-cli.ts";
import { type VoiceServer, voiceServer } from "./voice-server.ts";

describe("parlance voices, with a server", { timeout: 600_000 }, () => {
  let server: VoiceServer;
  let folder: string;
  let environment: Record<string, string>;
  before(async () => {
    server = await voiceServer();
    folder = await mkdtemp(join(tmpdir(), "parlance-voices-cli-"));
    environment = { PARLANCE_URL: server.url, PARLANCE_API_KEY: server.key };
    await writeFile(join(folder, "me.wav"), await server.clip("0870"));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const run = (...args: string[]) => runCli(["voices", ...args], environment, { cwd: folder });

  it("creates, lists, shows, changes, previews and deletes a voice", async () => {
    const made = await run("create", "me.wav", "--title", "My \u001b[31mvoice", "--tag", "warm");
    assert.equal(made.code, 1, "a terminal's commands are no title");
    assert.match(made.stderr, /title: /);
    const created = await run("create", "me.wav", "--title", "My voice", "--tag", "warm", "deep", "--consent", "Mine.");
    assert.equal(created.code, 0, created.stderr);
    const id = created.stdout.trim();
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.match((await run("list", "--mine")).stdout, new RegExp(`${id} +My voice  en`));
    assert.match((await run("list", "--language", "en-GB")).stdout, /\bbf_emma +Emma\b/);
    assert.match((await run("--title", "heart")).stdout, /Heart/);
    const shown = voiceModel.parse(JSON.parse((await run("show", id, "--json")).stdout));
    assert.deepEqual([shown.tags, shown.visibility], [["warm", "deep"], "private"]);
    const changed = await run("update", id, "--title", "Renamed", "--visibility", "unlist");
    assert.match(changed.stdout, /title +Renamed\n/);
    assert.match((await run("update", id, "--refine")).stdout, /refinement +(waiting|running|done)\n/);
    assert.equal((await run("update", id)).code, 2);
    assert.equal((await run("preview", id, "-o", "out.mp3")).code, 0);
    assert.ok((await readFile(join(folder, "out.mp3"))).length > 10_000);
    assert.equal((await run("delete", id)).code, 0);
    const gone = await run("show", id);
    assert.deepEqual([gone.code, gone.stderr.includes("There is no such voice")], [1, true]);
  });

  it("reports what is wrong with a recording, and that a server is needed", async () => {
    await writeFile(join(folder, "text.wav"), "no sound");
    const { code, stderr } = await run("create", "text.wav", "--title", "x");
    assert.deepEqual([code, /recording 1 cannot be decoded/.test(stderr)], [1, true], stderr);
    const nowhere = await runCli(
      ["voices", "create", "text.wav", "--title", "x"],
      { PARLANCE_URL: "" },
      { cwd: folder },
    );
    assert.deepEqual([nowhere.code, /PARLANCE_URL/.test(nowhere.stderr)], [2, true]);
  });
});
