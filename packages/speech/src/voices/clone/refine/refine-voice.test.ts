import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { cloningEngine } from "../../../engines/registry.ts";
import { MachinesLostError, SpeechError } from "../../../errors.ts";
import { noMachine } from "../../../pool/remote/refusals.ts";
import { someVoice } from "../../../testing/refinement-jobs.ts";
import { CloneError } from "../clone-error.ts";
import type { DecodeRecording } from "../decode-recordings.ts";
import { refineVoice } from "./refine-voice.ts";
import type { RefinementJob, RefinementResult } from "./refinement.ts";
import { REFINEMENT_KIND } from "./remote-refinement.ts";

const { embeddingSize, decoderOffsetsSize } = cloningEngine.cloning;
const never = new AbortController().signal;
const options = { timeout: 10_000 };
const numbers = {
  embedding: new Float32Array(embeddingSize).fill(1),
  decoderOffsets: new Float32Array(decoderOffsetsSize),
};
const similarity = { before: 0.7, after: 0.8 };
const decode: DecodeRecording = async (path, index, folder) => `${folder}/${index} of ${path}`;

function refining(
  context: TestContext,
  result: RefinementResult,
  onJob: (job: RefinementJob) => void = () => {},
  share = 0.25,
  decodeRecording = decode,
) {
  const workFolder = mkdtempSync(join(tmpdir(), "parlance-test-"));
  context.after(() => rmSync(workFolder, { recursive: true }));
  const request = { recordings: ["a", "b"], voice: someVoice, share, workFolder };
  const run = async (job: RefinementJob) => {
    onJob(job);
    return result;
  };
  return { workFolder, outcome: () => refineVoice(request, decodeRecording, run, never) };
}

test("only the timbre and the offsets of a voice change", options, async (context) => {
  const { outcome, workFolder } = refining(
    context,
    { refined: numbers, similarity },
    ({ recordings, share, voice }) => {
      assert.deepEqual([share, voice], [0.25, someVoice]);
      assert.deepEqual(
        recordings.map(({ path }) => path.split("/").at(-1)),
        ["0 of a", "1 of b"],
      );
      assert.ok(recordings.every(({ path }) => existsSync(join(path, ".."))));
    },
  );
  assert.deepEqual(await outcome(), { voice: { ...someVoice, ...numbers }, similarity });
  assert.deepEqual(readdirSync(workFolder), []);
});

test("a voice that stays as it is is not returned", options, async (context) => {
  const kept = { before: 0.7, after: 0.7 };
  const { outcome } = refining(context, { refined: undefined, similarity: kept });
  assert.deepEqual(await outcome(), { voice: undefined, similarity: kept });
});

test("a share that cannot be is refused, and a very small one is raised", options, async (context) => {
  const result = { refined: numbers, similarity };
  const used: number[] = [];
  const onJob = ({ share }: RefinementJob) => used.push(share);
  for (const share of [0, -1, 1.5, NaN])
    await assert.rejects(refining(context, result, onJob, share).outcome(), RangeError);
  for (const share of [1e-9, 0.01, 1]) await refining(context, result, onJob, share).outcome();
  assert.deepEqual(used, [0.01, 0.01, 1]);
});

for (const { unusable, used } of [
  { unusable: ["a"], used: [["1 of b"]] },
  { unusable: ["a", "b"], used: [] },
])
  test(`recordings that cannot be decoded are left out: ${unusable}`, options, async (context) => {
    const jobs: (string | undefined)[][] = [];
    const { outcome } = refining(
      context,
      { refined: numbers, similarity },
      ({ recordings }) => void jobs.push(recordings.map(({ path }) => path.split("/").at(-1))),
      0.25,
      async (path, index, ...rest) => {
        if (unusable.includes(path)) throw new CloneError(index, "it is damaged");
        return decode(path, index, ...rest);
      },
    );
    const { voice } = await outcome();
    assert.deepEqual([jobs, voice !== undefined], [used, used.length > 0]);
  });

test("faults other than that of a recording are thrown", options, async (context) => {
  const overloaded = new SpeechError("overloaded", "too many recordings wait to be decoded", 1);
  const result = { refined: numbers, similarity };
  const { outcome } = refining(context, result, undefined, 0.25, () => Promise.reject(overloaded));
  await assert.rejects(outcome(), overloaded);
});

for (const error of [
  noMachine(REFINEMENT_KIND),
  new SpeechError("overloaded", "too many voices wait to be refined", 1),
  new SpeechError("not_ready", "upgrade the worker machine", 60),
  new SpeechError("closed", "the service is shutting down"),
  new MachinesLostError("the machine is gone"),
])
  test(`faults of machines are thrown as they are: ${error.message}`, options, async (context) => {
    const { outcome } = refining(context, { refined: numbers, similarity }, () => {
      throw error;
    });
    await assert.rejects(outcome(), (thrown) => thrown === error);
  });

const faulty: readonly (readonly [string, RefinementResult])[] = [
  ["a timbre of another size", { refined: { ...numbers, embedding: new Float32Array(256) }, similarity }],
  ["offsets of another size", { refined: { ...numbers, decoderOffsets: new Float32Array(7_167) }, similarity }],
  [
    "offsets that are not finite",
    { refined: { ...numbers, decoderOffsets: numbers.decoderOffsets.map(() => NaN) }, similarity },
  ],
  ["a similarity that is no number", { refined: numbers, similarity: { before: 0.7, after: NaN } }],
];
for (const [what, result] of faulty)
  test(`${what} is refused`, options, async (context) => {
    await assert.rejects(refining(context, result).outcome(), (error) => error instanceof SpeechError);
  });
