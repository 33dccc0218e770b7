import { randomBytes } from "node:crypto";
import { type Config, createS3Objects } from "@parlance/server/records";
import { type Finding, fail, ok } from "./check.ts";
import { messageOf } from "./machine.ts";

const timeoutMs = 10_000;

/** Writes, reads and deletes an object. */
export async function checkObjectStorage(settings: NonNullable<Config["blobs"]>): Promise<Finding> {
  const { bucket, prefix, endpoint = "Amazon S3" } = settings;
  const place = `s3://${bucket}/${prefix} at ${endpoint}`;
  const objects = createS3Objects(settings, { timeoutMs });
  const signal = AbortSignal.timeout(3 * timeoutMs);
  const key = `doctor-${randomBytes(8).toString("hex")}`;
  const bytes = Buffer.from("Parlance can write here.");
  try {
    await objects.put(key, { bytes, type: "text/plain" }, signal);
    const read = await objects.get(key, bytes.length, signal);
    await objects.remove(key, signal);
    if (read?.equals(bytes) !== true) throw new Error("an object that was written cannot be read");
    return ok("object storage", `${place} can be written and read (recordings and covers)`);
  } catch (error) {
    return fail(
      "object storage",
      `${place}: ${messageOf(error)}`,
      "Check PARLANCE_BLOBS_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; the bucket must exist.",
    );
  }
}
