import { setPriority } from "node:os";
import { AV_LOG_QUIET } from "node-av/constants";
import { Log } from "node-av/lib";
import { AudioError } from "../../transcript.ts";
import { decodeFile } from "./decode-file.ts";
import { createMemoryGuard } from "./memory-guard.ts";
import type { DecodeJob, FromDecoder } from "./messages.ts";

/** The decoder process: decodes the files of strangers, where nothing but itself can come to harm. */

/** Whoever speaks or listens now goes first. */
const NICENESS = 5;

const guard = await createMemoryGuard();
try {
  setPriority(NICENESS);
} catch {
  // Where the system does not let us, we compete.
}
// What is wrong with a file is for its sender, not for our log.
Log.setLevel(AV_LOG_QUIET);

process.on("message", (job: DecodeJob) => void run(job).then(send));
// Without a parent there is nobody to decode for. Ctrl-C reaches the whole process group; the parent decides what ends when.
process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
send({ type: "ready" });

function send(message: FromDecoder): void {
  if (process.connected) process.send?.(message);
}

async function run({ source, target, limits, memoryMb }: DecodeJob): Promise<FromDecoder> {
  guard.arm(memoryMb);
  try {
    const audio = await decodeFile(source, target, limits);
    return { type: "decoded", audio, rssMb: rssMb() };
  } catch (error) {
    if (error instanceof AudioError) {
      const { code, message, seconds } = error;
      return { type: "refused", code, message, seconds, rssMb: rssMb() };
    }
    return { type: "failed", message: String(error instanceof Error ? error.message : error) };
  } finally {
    guard.disarm();
  }
}

function rssMb(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}
