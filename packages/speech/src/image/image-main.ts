import { AV_LOG_QUIET } from "node-av/constants";
import { Log } from "node-av/lib";
import { createResourceGuard } from "../audio/decode/resource-guard.ts";
import { exitWithParent } from "../lib/child-process.ts";
import type { FromImageProcess, ImageJob } from "./messages.ts";
import { ImageError, reencodeImage } from "./reencode.ts";

/** A process for one untrusted picture: a crash affects no other process. */

const MEMORY_MB = 768;
/** 40 million pixels take about 2 s. A picture with many remarks can take minutes: each is compared with all others. */
const CPU_SECONDS = 10;

(await createResourceGuard()).arm({ memoryMb: MEMORY_MB, cpuSeconds: CPU_SECONDS });
Log.setLevel(AV_LOG_QUIET);
process.on("message", ({ bytes }: ImageJob) => {
  try {
    send({ type: "done", image: reencodeImage(bytes) });
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    send({ type: "refused", message: error.message });
  }
});
exitWithParent();
send({ type: "ready" });

function send(message: FromImageProcess): void {
  if (process.connected) process.send?.(message);
}
