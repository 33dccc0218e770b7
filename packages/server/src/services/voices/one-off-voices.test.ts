import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { describe, it, type TestContext } from "node:test";
import { orAborted } from "../../lib/time-limit.ts";
import { instantCloning } from "../../testing/instant-cloning.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { until } from "../../testing/until.ts";
import { createUploadFolder } from "../uploads/upload-folder.ts";
import { createOneOffVoices } from "./one-off-voices.ts";

const REFERENCES = [{ audio: Buffer.from("recording"), text: "words" }];
const caller = { userId: "ada" };
const gone = new Error("the client has disconnected");

/** Voices that are made only when `finish` is called. */
async function slowVoices(context: TestContext, makeMs?: number) {
  const uploads = createUploadFolder(await temporaryFolder(context));
  const signals: AbortSignal[] = [];
  let finish = (): void => {};
  const allowed = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const cloning = {
    ...instantCloning,
    create: async (...[request, signal]: Parameters<typeof instantCloning.create>) => {
      signals.push(signal);
      await orAborted(allowed, signal);
      return instantCloning.create(request, signal);
    },
  };
  const voices = createOneOffVoices({ cloning, uploads, ...(makeMs === undefined ? {} : { makeMs }) });
  return { voices, signals, finish };
}

describe("a voice from the reference audio of a request", () => {
  it("is not made any further when all its requests have disconnected", { timeout: 30_000 }, async (context) => {
    const { voices, signals, finish } = await slowVoices(context);
    const [first, second] = [new AbortController(), new AbortController()];
    const answers = [first, second].map(({ signal }) => voices.resolve(caller, REFERENCES, signal));
    await until(() => signals.length === 1);
    first.abort(gone);
    await assert.rejects(answers[0] ?? assert.fail(), gone);
    assert.equal(signals[0]?.aborted, false, "the other request still waits for it");
    second.abort(gone);
    await assert.rejects(answers[1] ?? assert.fail(), gone);
    assert.equal(signals[0]?.aborted, true);
    const again = voices.resolve(caller, REFERENCES, new AbortController().signal);
    finish();
    assert.ok((await again).custom);
    assert.equal(signals.length, 2);
    await voices.resolve(caller, REFERENCES, new AbortController().signal);
    assert.equal(signals.length, 2, "it is remembered");
  });

  it("leaves no file when there is no room for all recordings", { timeout: 30_000 }, async (context) => {
    const folder = await temporaryFolder(context);
    const uploads = createUploadFolder(folder);
    let first: ReturnType<typeof uploads.create> | undefined;
    const create = async () => {
      if (first === undefined) {
        first = uploads.create();
        return first;
      }
      await first;
      throw new Error("too many open files");
    };
    const voices = createOneOffVoices({ cloning: instantCloning, uploads: { create } });
    const references = [...REFERENCES, ...REFERENCES];
    await assert.rejects(voices.resolve(caller, references, new AbortController().signal), /too many open files/);
    const left = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
    assert.deepEqual(left, []);
  });

  it("is refused when it takes too long", { timeout: 30_000 }, async (context) => {
    const { voices } = await slowVoices(context, 50);
    await assert.rejects(voices.resolve(caller, REFERENCES, new AbortController().signal), { code: "overloaded" });
  });
});
