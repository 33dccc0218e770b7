import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, before, beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { installModels } from "./testing/models.ts";
import { type RunningCli, runCli, startCli } from "./testing/run-cli.ts";
import { whileRunning } from "./testing/wait-for.ts";

let folder: string;

/** Waits for some audio in the file that becomes the target at the end. */
async function untilPartIsSpoken(cli: RunningCli): Promise<void> {
  await whileRunning(cli, async () => {
    const draft = (await readdir(folder)).find((name) => name.endsWith(".part"));
    return draft !== undefined && (await stat(join(folder, draft))).size > 0;
  });
}

async function assertInterrupts(cli: RunningCli): Promise<void> {
  cli.process.kill("SIGINT");
  const { code, stderr } = await cli.ended;
  assert.equal(code, 130, stderr);
  assert.equal(stderr, "");
  assert.deepEqual(await readdir(folder), []);
}

before(() => installModels("kokoro-q8"));

describe("parlance say", () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "parlance-say-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("writes a WAV file whose header knows its length", async () => {
    const file = join(folder, "hello.wav");
    const { code, stdout, stderr } = await runCli(["say", "-o", file, "--seed", "7", "Hello", "there, everyone."]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "");
    assert.match(stderr, /^Wrote .*hello\.wav \(.* kB, voice af_heart\)\n$/);
    const wav = await readFile(file);
    assert.equal(wav.toString("latin1", 0, 4), "RIFF");
    assert.equal(wav.readUInt32LE(4), wav.length - 8);
    const data = wav.indexOf("data");
    assert.equal(wav.readUInt32LE(data + 4), wav.length - data - 8);
    const seconds = (wav.length - data - 8) / 2 / wav.readUInt32LE(24);
    assert.ok(seconds > 0.7 && seconds < 5, String(seconds));
    assert.deepEqual(await readdir(folder), ["hello.wav"]);
  });

  it("reads standard input and writes to standard output", async () => {
    const { code, bytes, stderr } = await runCli(["say", "-f", "opus", "-o", "-"], {}, { input: "Piped in." });
    assert.equal(code, 0, stderr);
    assert.equal(bytes.toString("latin1", 0, 4), "OggS");
    assert.equal(stderr, "");
  });

  it("writes speech.mp3, and never over it, by default when there is no player", async () => {
    await writeFile(join(folder, "speech.mp3"), "mine");
    const { code, stderr } = await runCli(["say", "No player here."], { PATH: "" }, { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Wrote speech-2\.mp3/);
    assert.equal(await readFile(join(folder, "speech.mp3"), "utf8"), "mine");
    const mp3 = await readFile(join(folder, "speech-2.mp3"));
    const tagged = mp3.toString("latin1", 0, 3) === "ID3";
    assert.ok(tagged || (mp3[0] === 0xff && ((mp3[1] ?? 0) & 0xe0) === 0xe0), "an mp3 frame or tag");
  });

  it("plays through the player that is installed", async () => {
    const played = join(folder, "played.raw");
    await writeFile(join(folder, "aplay"), `#!/bin/sh\necho "$@" > "${played}.args"\ncat > "${played}"\n`);
    await chmod(join(folder, "aplay"), 0o755);
    const path = `${folder}:/bin:/usr/bin`;
    const { code, stderr } = await runCli(["say", "--play", "Can you hear me?"], { PATH: path });
    assert.equal(code, 0, stderr);
    assert.match(await readFile(`${played}.args`, "utf8"), /S16_LE -r 44100 -c 1/);
    assert.ok((await readFile(played)).length > 44_100);
  });

  it("reports that the player failed", async () => {
    await writeFile(join(folder, "aplay"), "#!/bin/sh\nexit 3\n");
    await chmod(join(folder, "aplay"), 0o755);
    const { code, stderr } = await runCli(["say", "--play", "Can you hear me?"], { PATH: `${folder}:/bin:/usr/bin` });
    assert.equal(code, 1);
    assert.match(stderr, /the player aplay failed \(code 3\)/);
  });

  it("names the players to install when there is none", async () => {
    const { code, stderr } = await runCli(["say", "--play", "hi"], { PATH: "" });
    assert.equal(code, 2);
    assert.match(stderr, /no player was found; install one of .*aplay/);
  });

  it("fails at once when the file cannot be written", async () => {
    const { code, stderr } = await runCli(["say", "-o", join(folder, "no", "where.mp3"), "hi"]);
    assert.equal(code, 1);
    assert.match(stderr, /cannot write .*where\.mp3: there is no such folder/);
  });

  it("stops on Ctrl-C with 130 and leaves no incomplete file", async () => {
    const text = "This sentence is one of a great many that nobody will ever hear. ".repeat(400);
    const cli = startCli(["say", "-o", join(folder, "long.mp3")], {}, { input: text });
    await untilPartIsSpoken(cli);
    await assertInterrupts(cli);
  });
});

describe("parlance say --live", () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "parlance-live-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Half a second of speech: the minimum for a sentence. */
  const minBytes = 44_100;

  const writtenBytes = async (cli: RunningCli, from = 0) => {
    await whileRunning(cli, () => cli.written() > from + minBytes);
    // until the output no longer grows
    for (let before = 0; before !== cli.written(); ) {
      before = cli.written();
      await sleep(700);
    }
    return cli.written();
  };

  it("speaks while input is still arriving, and a line also without a full stop", async () => {
    const cli = startCli(["say", "--live", "-f", "pcm", "-o", "-"], {}, { inputStaysOpen: true });
    for (const token of ["Good mor", "ning, every", "one. ", "And "]) {
      cli.process.stdin.write(token);
      await sleep(20);
    }
    const first = await writtenBytes(cli);
    cli.process.stdin.write("no full stop here\n");
    const second = await writtenBytes(cli, first);
    cli.process.stdin.end("The end.");
    const { code, bytes, stderr } = await cli.ended;
    assert.equal(code, 0, stderr);
    assert.equal(stderr, "");
    assert.ok(bytes.length > second);
    assert.equal(bytes.length % 2, 0);
  });

  it("applies output, voice and speed", async () => {
    const seconds = async (...options: string[]) => {
      const file = join(folder, `${options.length}.wav`);
      const input = "This was piped in, and it is being spoken now.";
      const { code, stderr } = await runCli(["say", "--live", "-o", file, ...options], {}, { input });
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^Wrote .*\.wav \(.* kB, voice af_heart\)\n$/);
      const wav = await readFile(file);
      assert.equal(wav.readUInt32LE(4), wav.length - 8);
      return (wav.length - 44) / 2 / wav.readUInt32LE(24);
    };
    const [slow, fast] = [await seconds("--speed", "0.7", "--seed", "1"), await seconds("-s", "1.6", "--seed=1")];
    assert.ok(slow > fast * 1.5, `${slow} s, ${fast} s`);
  });

  it("plays as it speaks", async () => {
    const playedFile = join(folder, "played.raw");
    await writeFile(join(folder, "aplay"), `#!/bin/sh\necho "$@" > "${playedFile}.args"\ncat > "${playedFile}"\n`);
    await chmod(join(folder, "aplay"), 0o755);
    const environment = { PATH: `${folder}:/bin:/usr/bin` };
    const cli = startCli(["say", "--live", "--play"], environment, {
      input: "Can you hear me?\n",
      inputStaysOpen: true,
    });
    const size = async () => (await readFile(playedFile).catch(() => Buffer.of())).length;
    await whileRunning(cli, async () => (await size()) >= 44_100);
    cli.process.stdin.end();
    const { code, stderr } = await cli.ended;
    assert.equal(code, 0, stderr);
    assert.match(await readFile(`${playedFile}.args`, "utf8"), /-R 1 .*S16_LE -r 44100 -c 1/);
  });

  it("stops on Ctrl-C with 130 while it waits for text, and leaves no file", async () => {
    const cli = startCli(["say", "--live", "-o", join(folder, "a.mp3")], {}, { input: "One.\n", inputStaysOpen: true });
    await untilPartIsSpoken(cli);
    await assertInterrupts(cli);
  });

  it("exits with 2 without text, and leaves no file", async () => {
    const { code, stderr } = await runCli(["say", "--live", "-o", join(folder, "a.mp3")], {}, { input: " \n" });
    assert.equal(code, 2);
    assert.match(stderr, /no text to speak/);
    assert.deepEqual(await readdir(folder), []);
  });
});
