import assert from "node:assert/strict";
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { installModels } from "./testing/models.ts";
import { startCli } from "./testing/run-cli.ts";
import { useTranscriptCache } from "./testing/transcript-cache.ts";

const temporary = useTranscriptCache();
const { kept } = temporary;

describe("parlance transcribe on this machine", () => {
  let speech: string;
  before(async () => {
    const models = await installModels("test-speech", "silero-vad", "moonshine-base", "whisper-base");
    speech = join(temporary.folder, "speech.wav");
    await copyFile(models.path("test-speech", "jfk.wav"), speech);
  });

  const run = (args: readonly string[], input?: Buffer) => {
    const environment = {
      XDG_CACHE_HOME: temporary.cache,
      PARLANCE_URL: "",
      npm_config_registry: "http://127.0.0.1:1/",
    };
    const cli = startCli(["transcribe", ...args], environment, { inputStaysOpen: true, cwd: temporary.folder });
    cli.process.stdin.end(input);
    return cli.ended;
  };

  it("writes the text to standard output, and leaves no temporary files", async () => {
    const { code, stdout, stderr } = await run([speech]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^And so,? my fellow Americans.*do for your country\.?\n$/i);
    assert.equal(stderr, "");
    assert.deepEqual(await kept(), []);
  });

  it("reads standard input, and writes subtitles", async () => {
    const { code, stdout, stderr } = await run(["--language", "en", "-f", "vtt", "-"], await readFile(speech));
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^WEBVTT\n\n00:00:00\.\d{3} --> 00:00:\d\d\.\d{3}\nAnd so/i);
  });

  it("transcribes many files in many formats, and continues after a failure", async () => {
    await writeFile(join(temporary.folder, "broken.mp3"), "this is no mp3");
    const files = ["broken.mp3", "missing.ogg", "speech.wav"];
    const { code, stdout, stderr } = await run(["--words", "-l", "en", "-f", "json,srt", "-o", "out", ...files]);
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(
      stderr,
      /^parlance: broken\.mp3: .*not audio.*\nparlance: missing\.ogg: there is no such file\nWrote out/,
    );
    assert.deepEqual(await readdir(join(temporary.folder, "out")), ["speech.json", "speech.srt"]);
    const json: { duration: number; language: string; segments: { text: string }[] } = JSON.parse(
      await readFile(join(temporary.folder, "out", "speech.json"), "utf8"),
    );
    assert.equal(json.duration, 11);
    assert.equal(json.language, "en");
    assert.ok(json.segments.length > 15, "a segment is a word");
  });

  it("reports invalid options before any work", async () => {
    for (const [args, complaint] of [
      [["-l", "xx", speech], /--language xx: it must be one of af, .*en/],
      [["-f", "doc", speech], /one or several of txt, json, srt, vtt/],
      [["--local", "--server", "http://x", speech], /cannot be used with/],
      [["--server", "voice.local", speech], /voice\.local is not the address of a server/],
      [["--key", "k", speech], /--key is for a server/],
      [["-m", "s2-pro", speech], /Allowed choices are transcribe-1, moonshine, whisper/],
      [[], /missing required argument 'files'/],
    ] as const) {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 2, stderr);
      assert.equal(stdout, "");
      assert.match(stderr, complaint);
      assert.ok(!/\n\s+at /.test(stderr), stderr);
    }
  });
});
