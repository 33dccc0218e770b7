import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { UsageError } from "../errors.ts";
import { type PlanOptions, parseFormats, planTasks } from "./plan.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-plan-"));
  await writeFile(join(folder, "taken.srt"), "mine");
});
after(() => rm(folder, { recursive: true, force: true }));

function plan(inputs: readonly string[], options: Partial<PlanOptions> = {}) {
  const tasks = planTasks(inputs, { formats: undefined, output: undefined, force: false, ...options });
  return tasks.flatMap(({ targets }) => targets.map(({ format, path }) => `${format} ${path ?? "stdout"}`));
}

describe("targets of transcripts", () => {
  it("one goes to standard output, or to a named file in the format of its extension", () => {
    assert.deepEqual(plan(["talk.mp3"]), ["txt stdout"]);
    assert.deepEqual(plan(["-"], { formats: ["vtt"] }), ["vtt stdout"]);
    assert.deepEqual(plan(["talk.mp3"], { output: "-" }), ["txt stdout"]);
    assert.deepEqual(plan(["talk.mp3"], { output: "a.SRT" }), ["srt a.SRT"]);
    assert.deepEqual(plan(["talk.mp3"], { output: "a.srt", formats: ["json"] }), ["json a.srt"]);
    assert.deepEqual(plan(["talk.mp3"], { output: "notes" }), ["txt notes"]);
  });

  it("several go to files in a folder, with the names of the recordings", () => {
    assert.deepEqual(plan(["a/one.mp3", "b/two.tar.wav"], { formats: ["srt", "txt"] }), [
      "srt one.srt",
      "txt one.txt",
      "srt two.tar.srt",
      "txt two.tar.txt",
    ]);
    assert.deepEqual(plan(["one.mp3"], { output: folder }), [`txt ${join(folder, "one.txt")}`]);
    assert.deepEqual(plan(["one.mp3"], { output: "new/" }), ["txt new/one.txt"]);
    assert.deepEqual(plan(["one.mp3", "-"], { output: "new" }), ["txt new/one.txt", "txt new/stdin.txt"]);
  });

  it("never replace an existing file", () => {
    const refused = (work: () => unknown, message: RegExp) =>
      assert.throws(work, (error) => error instanceof UsageError && message.test(error.message));
    refused(
      () => plan(["a/talk.mp3", "b/talk.wav"]),
      /a\/talk\.mp3 and b\/talk\.wav would both be written to talk\.txt/,
    );
    refused(() => plan(["taken.mp3"], { output: folder, formats: ["srt"] }), /taken\.srt exists already; --force/);
    assert.equal(plan(["taken.mp3"], { output: folder, formats: ["srt"], force: true }).length, 1);
    refused(() => plan(["a", "b"], { output: "-" }), /one recording in one format/);
    refused(() => plan(["a", "b"], { output: join(folder, "taken.srt") }), /is a file, but there are several/);
    refused(() => plan(["-", "-"], { output: folder }), /only once/);
  });

  it("have one of the known formats", () => {
    assert.deepEqual(parseFormats("srt, VTT,srt"), ["srt", "vtt"]);
    assert.throws(() => parseFormats("srt,doc"), /--format srt,doc: it must be one or several of txt, json, srt, vtt/);
  });
});
