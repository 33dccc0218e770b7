import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { createUploadFolder } from "./upload-folder.ts";

const host = hostname().replace(/[^\w.]+/g, "_");

describe("the upload folder", () => {
  it("is created on first use, keeps a file until it is removed, and is removed on close", async (context) => {
    const data = await temporaryFolder(context);
    const folder = createUploadFolder(data);
    assert.deepEqual(await readdir(data), []);
    const file = await folder.create();
    await file.write(Buffer.from("one "));
    await file.write(Buffer.from("two"));
    await file.finish();
    assert.equal(await readFile(file.path, "utf8"), "one two");
    assert.equal(file.bytes, 7);
    await file.remove();
    await file.remove();
    await assert.rejects(readFile(file.path), { code: "ENOENT" });
    await (await folder.create()).write(Buffer.from("left"));
    await folder.close();
    assert.deepEqual(await readdir(join(data, "uploads")), []);
  });

  it("removes the files of ended processes, and none that a running one may need", async (context) => {
    const data = await temporaryFolder(context);
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    const names = {
      dead: `${host}-${dead}-${randomUUID()}`,
      before: `${host}-${process.pid}-${randomUUID()}`,
      living: `${host}-${process.ppid}-${randomUUID()}`,
      elsewhere: `other-host-${dead}-${randomUUID()}`,
      forgotten: `other-host-1-${randomUUID()}`,
    };
    for (const name of Object.values(names)) {
      await mkdir(join(data, "uploads", name), { recursive: true });
      await writeFile(join(data, "uploads", name, "file"), "x");
    }
    const longAgo = new Date(Date.now() - 2 * 24 * 3600 * 1000);
    await utimes(join(data, "uploads", names.forgotten), longAgo, longAgo);
    const neighbour = createUploadFolder(data);
    const open = await neighbour.create();
    const folder = createUploadFolder(data);
    await folder.sweep();
    const left = await readdir(join(data, "uploads"));
    assert.ok(left.includes(names.living) && left.includes(names.elsewhere));
    assert.equal(left.length, 3);
    await readFile(open.path);
    await neighbour.close();
  });

  it("sweeps an empty data folder without an error", async (context) => {
    await createUploadFolder(join(await temporaryFolder(context), "none")).sweep();
  });
});
