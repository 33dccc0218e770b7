import { statSync } from "node:fs";
import { AV_LOG_QUIET } from "node-av/constants";
import { Log } from "node-av/lib";
import { AudioError } from "../../errors.ts";
import { exitWithParent, lowerPriority } from "../../lib/child-process.ts";
import { errorMessage } from "../../lib/errors.ts";
import { cpuSecondsFor } from "./cpu-budget.ts";
import { decodeFile } from "./decode-file.ts";
import type { DecodeJob, FromDecoder } from "./messages.ts";
import { createResourceGuard } from "./resource-guard.ts";

/** The decoder process. It decodes untrusted files in isolation: a crash affects no other process. */

/** Synthesis and recognition go first. */
const NICENESS = 5;

const guard = await createResourceGuard();
lowerPriority(NICENESS);
// Errors in a file are reported to the client that sent it, not to the log.
Log.setLevel(AV_LOG_QUIET);

process.on("message", (job: DecodeJob) => void run(job).then(send));
exitWithParent();
send({ type: "ready" });

function send(message: FromDecoder): void {
  if (process.connected) process.send?.(message);
}

async function run({ source, target, limits, memoryMb, cpu }: DecodeJob): Promise<FromDecoder> {
  try {
    const { size } = statSync(source);
    const allowed = (audioSeconds: number) => cpuSecondsFor(cpu, size, audioSeconds);
    guard.arm({ memoryMb, cpuSeconds: allowed(0) });
    const audio = await decodeFile(source, target, limits, (seconds) => guard.allow(allowed(seconds)));
    return { type: "decoded", audio, rssMb: rssMb() };
  } catch (error) {
    if (error instanceof AudioError) {
      const { code, message, seconds } = error;
      return { type: "refused", code, message, seconds, rssMb: rssMb() };
    }
    return { type: "failed", message: errorMessage(error) };
  } finally {
    guard.disarm();
  }
}

function rssMb(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}
