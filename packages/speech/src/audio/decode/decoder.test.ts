import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sourceFlags, sourcePath } from "../../../../../tests/support/child-sources.ts";
import { until } from "../../../../../tests/support/until.ts";
import { muxAudio } from "../../testing/mux-audio.ts";
import { noise } from "../../testing/signals.ts";
import { wavFile } from "../../testing/wav-file.ts";
import { createDecoder, type DecodeOptions, type Decoder, type DecoderOptions } from "./index.ts";

const never = new AbortController().signal;
let directory: string;
let short: string;
/** Takes long enough to decode that a test can act meanwhile. */
let long: string;
const LONG_SECONDS = 2400;
let target: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "parlance-decoder-"));
  short = join(directory, "short");
  long = join(directory, "long");
  target = join(directory, "target");
  await writeFile(short, wavFile([noise(16_000, 0.3)], { sampleRate: 16_000 }));
  muxAudio(long, "flac", {
    sampleRate: 8000,
    encoder: "flac",
    encoderOptions: { frame_size: 65535 },
    channels: [new Float32Array(LONG_SECONDS * 8000)],
  });
});
after(() => rm(directory, { recursive: true }));

async function withDecoder(options: DecoderOptions, use: (decoder: Decoder) => Promise<void>): Promise<void> {
  await rm(target, { force: true });
  const decoder = createDecoder(options);
  try {
    await use(decoder);
  } finally {
    await decoder.close();
  }
}

const decode = (decoder: Decoder, source: string, options: Partial<DecodeOptions> = {}, signal = never) =>
  decoder.decode(source, target, { sampleRate: 16_000, ...options }, signal);

const pids = (decoder: Decoder) => decoder.processes().map(({ pid }) => pid);
const targetIsGone = () => assert.rejects(access(target), { code: "ENOENT" });
/** Until the first samples are on the disk. */
function untilDecoding(): Promise<boolean> {
  return until(() => existsSync(target), { what: "samples are on the disk" });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a process decodes several files", () =>
  withDecoder({}, async (decoder) => {
    const first = pids(decoder);
    assert.equal(first.length, 1);
    for (let i = 0; i < 5; i++) assert.equal((await decode(decoder, short)).samples, 16_000);
    assert.deepEqual(pids(decoder), first);
  }));

test("a process is replaced after many files", () =>
  withDecoder({}, async (decoder) => {
    const first = pids(decoder);
    for (let i = 0; i < 110; i++) await decode(decoder, short);
    assert.equal(pids(decoder).length, 1);
    assert.notDeepEqual(pids(decoder), first);
  }));

test("a file that takes too long is stopped, and the next one decodes", () =>
  withDecoder({}, async (decoder) => {
    const first = pids(decoder);
    await assert.rejects(decode(decoder, long, { timeoutMs: 50 }), { name: "AudioError", code: "too_costly" });
    await targetIsGone();
    assert.ok(first.every((pid) => !isRunning(pid)));
    assert.equal((await decode(decoder, short)).seconds, 1);
  }));

test("a file that takes too much memory is stopped, and the next one decodes", () =>
  withDecoder({}, async (decoder) => {
    // Less than the process itself needs.
    await assert.rejects(decode(decoder, long, { memoryMb: 20 }), { name: "AudioError", code: "too_costly" });
    await targetIsGone();
    assert.equal((await decode(decoder, short)).seconds, 1);
  }));

test("a file that takes too much CPU time is stopped at once, and the next one decodes", () =>
  withDecoder({}, async (decoder) => {
    // A reused process: such a file is not tried again in a new one.
    await decode(decoder, short);
    await rm(target);
    const tags = join(directory, "tags");
    await writeFile(tags, manyTags(200_000));
    const cpu = { baseSeconds: 0.5, perMiB: 0, perAudioSecond: 0 };
    await assert.rejects(decode(decoder, tags, { cpu }), { name: "AudioError", code: "too_costly", message: /time/ });
    await targetIsGone();
    assert.equal((await decode(decoder, short)).seconds, 1);
  }));

test("the CPU time that a file may take grows with its audio", () =>
  withDecoder({}, async (decoder) => {
    // It takes between 0.2 s and some seconds, and a process that is used again needs no time before the first sample.
    const cpu = { baseSeconds: 0.05, perMiB: 0 };
    await decode(decoder, short);
    assert.equal((await decode(decoder, long, { cpu: { ...cpu, perAudioSecond: 0.1 } })).seconds, LONG_SECONDS);
    await assert.rejects(decode(decoder, long, { cpu: { ...cpu, perAudioSecond: 0 } }), { code: "too_costly" });
  }));

/** A second of sound behind tags with different names, each of which FFmpeg compares with all before it. */
function manyTags(count: number): Buffer {
  const tags = Buffer.alloc(10 * count);
  for (let i = 0; i < count; i++) {
    tags.write(i.toString(36).padStart(4, "0"), 10 * i, "latin1");
    tags.writeUInt32LE(2, 10 * i + 4);
    tags.write("x", 10 * i + 8, "latin1");
  }
  const bytes = Buffer.concat([Buffer.from("INFO", "latin1"), tags]);
  return wavFile([noise(16_000, 0.3)], { sampleRate: 16_000, chunks: [{ name: "LIST", bytes }] });
}

test("a crash is reported as an error of the file", () =>
  withDecoder({}, async (decoder) => {
    const decoding = decode(decoder, long);
    await untilDecoding();
    for (const pid of pids(decoder)) process.kill(pid, "SIGSEGV");
    await assert.rejects(decoding, { name: "AudioError", code: "undecodable" });
    await targetIsGone();
    assert.equal((await decode(decoder, short)).seconds, 1);
  }));

test("a file is tried again after a crash of a reused process", () =>
  withDecoder({}, async (decoder) => {
    await decode(decoder, short);
    await rm(target);
    const decoding = decode(decoder, long);
    await untilDecoding();
    for (const pid of pids(decoder)) process.kill(pid, "SIGSEGV");
    assert.equal((await decoding).seconds, LONG_SECONDS);
  }));

test("a process that ended while it was idle causes no error", () =>
  withDecoder({}, async (decoder) => {
    await decode(decoder, short);
    for (const pid of pids(decoder)) process.kill(pid, "SIGKILL");
    await until(() => decoder.processes().length === 0);
    assert.equal((await decode(decoder, short)).seconds, 1);
  }));

test("an aborted signal stops the work and removes the output", () =>
  withDecoder({}, async (decoder) => {
    const leaving = new AbortController();
    const decoding = decode(decoder, long, {}, leaving.signal);
    await untilDecoding();
    const [pid] = pids(decoder);
    leaving.abort(new Error("gone"));
    await assert.rejects(decoding, { message: "gone" });
    await targetIsGone();
    assert.ok(pid !== undefined && !isRunning(pid));
    await assert.rejects(decode(decoder, short, {}, leaving.signal), { message: "gone" });
    assert.equal((await decode(decoder, short)).seconds, 1);
  }));

test("files beyond the limit wait, and are refused when the queue is full", () =>
  withDecoder({ processes: 2, queue: 2 }, async (decoder) => {
    const outcomes = await Promise.allSettled(
      [0, 1, 2, 3, 4].map((i) => decoder.decode(short, `${target}-${i}`, { sampleRate: 16_000 }, never)),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "fulfilled", "fulfilled", "fulfilled", "rejected"],
    );
    const [refused] = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    assert.deepEqual([refused.name, refused.code], ["SpeechError", "overloaded"]);
    assert.equal(pids(decoder).length, 2);
  }));

test("an aborted file leaves the queue", () =>
  withDecoder({ processes: 1 }, async (decoder) => {
    const leaving = new AbortController();
    const first = decode(decoder, long);
    const second = decode(decoder, short, {}, leaving.signal);
    leaving.abort(new Error("gone"));
    await assert.rejects(second, { message: "gone" });
    await first;
  }));

/** Files of one owner that take long. `decoded` counts those that are done. */
function sendSlowFiles(decoder: Decoder, count: number) {
  const leaving = new AbortController();
  const state = { decoded: 0 };
  const files = Array.from({ length: count }, async (_, i) => {
    await decoder.decode(long, `${target}-slow-${i}`, { owner: "ada", sampleRate: 16_000 }, leaving.signal);
    state.decoded++;
  });
  const ended = Promise.allSettled(files);
  return {
    state,
    async leave() {
      leaving.abort(new Error("gone"));
      await ended;
    },
  };
}

for (const processes of [1, 2, 3])
  test(
    `with ${processes} processes, slow files of one owner delay those of another by one file at most`,
    {
      timeout: 60_000,
    },
    () =>
      withDecoder({ processes }, async (decoder) => {
        const { state, leave } = sendSlowFiles(decoder, 5);
        assert.equal((await decode(decoder, short, { owner: "bob" })).seconds, 1);
        assert.ok(state.decoded <= 1, `${state.decoded} slow files were decoded first`);
        await leave();
      }),
  );

test("a waiting file that is aborted leaves its place to the next one", { timeout: 60_000 }, () =>
  withDecoder({ processes: 1, queue: 2 }, async (decoder) => {
    const { leave } = sendSlowFiles(decoder, 2);
    const leaving = new AbortController();
    const aborted = decode(decoder, short, { owner: "bob" }, leaving.signal);
    await assert.rejects(decode(decoder, short, { owner: "eve" }), { name: "SpeechError", code: "overloaded" });
    leaving.abort(new Error("gone"));
    await assert.rejects(aborted, { message: "gone" });
    const next = decode(decoder, short, { owner: "eve" });
    await leave();
    assert.equal((await next).seconds, 1);
  }),
);

test("closing stops running and waiting files and every process", async () => {
  await rm(target, { force: true });
  const decoder = createDecoder({ processes: 1 });
  const running = decode(decoder, long);
  await untilDecoding();
  const waiting = decode(decoder, short);
  const ended = pids(decoder);
  const results = Promise.allSettled([running, waiting]);
  await decoder.close();
  for (const result of await results) {
    assert.equal(result.status, "rejected");
    assert.deepEqual([result.reason.name, result.reason.code], ["SpeechError", "closed"]);
  }
  assert.ok(ended.length === 1 && ended.every((pid) => !isRunning(pid)));
  assert.deepEqual(decoder.processes(), []);
  await assert.rejects(decode(decoder, short), { code: "closed" });
  await decoder.close();
});

test("a missing file is not an audio error", () =>
  withDecoder({}, async (decoder) => {
    await assert.rejects(decode(decoder, join(directory, "none")), (error: Error) => {
      assert.notEqual(error.name, "AudioError");
      assert.match(error.message, /ENOENT/);
      return true;
    });
  }));

test("the process has no secrets in its environment", async () => {
  process.env.PARLANCE_TEST_SECRET = "hush";
  await withDecoder({}, async (decoder) => {
    await decode(decoder, short);
    const [pid] = pids(decoder);
    if (process.platform !== "linux") return;
    assert.ok(!(await readFile(`/proc/${pid}/environ`, "latin1")).includes("hush"));
  });
});

test("the process exits with its parent", async () => {
  await rm(target, { force: true });
  const host = fork(sourcePath("../../testing/decode-in-child.ts", import.meta.url), [long, target], {
    execArgv: [...sourceFlags],
    stdio: ["ignore", 2, 2, "ipc"],
  });
  const [pid] = (await once(host, "message")) as [number];
  assert.ok(isRunning(pid));
  host.kill("SIGKILL");
  // It has a low priority: on a busy machine it takes longer.
  await until(() => !isRunning(pid), { what: "the process has ended" });
});
