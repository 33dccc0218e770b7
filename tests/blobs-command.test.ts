import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openStore } from "@parlance/server";
import { runInProcess } from "../packages/cli/src/testing/run-in-process.ts";
import { startS3 } from "../packages/server/src/testing/s3-server.ts";
import { temporaryFolder } from "../packages/server/src/testing/temporary-folder.ts";
import { clonedVoice } from "../packages/server/src/testing/voice-record.ts";
import { insertUser } from "../packages/server/src/testing/wallet-user.ts";

describe("parlance blobs", { timeout: 120_000 }, () => {
  it("moves files into the storage and back, and compares it with the database", async (context) => {
    const s3 = await startS3(context);
    const data = await temporaryFolder(context);
    const environment = { ...s3.env, PARLANCE_DATA: data };
    const store = await openStore({ data, databaseUrl: undefined });
    context.after(() => store.close());
    const voice = clonedVoice({ userId: await insertUser(store) });
    await store.voices.insert(voice);
    const bytes = Buffer.from("picture");
    await store.voiceBlobs.put(voice.id, "cover", { number: 0, type: "image/png", text: null, bytes });

    const moved = await runInProcess(["blobs", "move"], environment);
    assert.equal(moved.stdout, "1 file moved to the storage.\n", moved.stderr);
    assert.equal((await store.voiceBlobs.find(voice.id, "cover"))?.bytes.length, 0);
    const checked = await runInProcess(["blobs", "check"], environment);
    assert.equal(checked.stdout, "1 of 1 file of the database are in the storage.\n");
    const back = await runInProcess(["blobs", "move", "--back"], environment);
    assert.equal(back.stdout, "1 file moved to the database.\n", back.stderr);
    assert.deepEqual((await store.voiceBlobs.find(voice.id, "cover"))?.bytes, bytes);
    assert.deepEqual(await s3.keys(), []);
  });

  it("says when there is no storage", async (context) => {
    const data = await temporaryFolder(context);
    await (await openStore({ data, databaseUrl: undefined })).close();
    const { code, stderr } = await runInProcess(["blobs", "check"], { PARLANCE_DATA: data });
    assert.equal(code, 2);
    assert.match(stderr, /PARLANCE_BLOBS_URL is not set/);
  });

  it("is checked by the doctor", async (context) => {
    const s3 = await startS3(context);
    const { checkSettings } = await import("../packages/cli/src/doctor/settings.ts");
    const find = async (env: NodeJS.ProcessEnv) =>
      (await checkSettings({ PARLANCE_PORT: "0", ...env })).find(({ check }) => check === "object storage");
    assert.equal((await find(s3.env))?.verdict, "ok");
    const wrong = await find({ ...s3.env, AWS_SECRET_ACCESS_KEY: "a wrong secret" });
    assert.equal(wrong?.verdict, "fail");
    assert.match(wrong?.detail ?? "", /403 \(SignatureDoesNotMatch\)/);
    assert.equal(await find({}), undefined);
  });
});
