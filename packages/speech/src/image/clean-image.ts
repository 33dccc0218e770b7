import { fork } from "node:child_process";
import { workerModule } from "../pool/worker-process.ts";
import type { CleanImage, FromImageProcess, ImageJob } from "./messages.ts";
import { ImageError } from "./reencode.ts";
import { sniffImage } from "./sniff.ts";

export type { CleanImage } from "./messages.ts";
export { ImageError } from "./reencode.ts";

const TIMEOUT_MS = 30_000;
/** All that the process needs of our environment; keys and passwords it does not. */
const ENVIRONMENT = ["PATH", "HOME", "TMPDIR", "TEMP", "SystemRoot", "LD_LIBRARY_PATH", "NODE_OPTIONS"];

/** The same picture as pixels and nothing else, at most 1024 on a side. Throws `ImageError` when it is none. */
export async function cleanImage(bytes: Uint8Array, signal: AbortSignal): Promise<CleanImage> {
  if (sniffImage(bytes) === undefined) throw new ImageError("it must be a PNG, JPEG or WebP picture");
  signal.throwIfAborted();
  const child = fork(workerModule("./image-main", import.meta.url), {
    execArgv: process.execArgv.filter((flag) => !/^--(inspect|test|watch)/.test(flag)),
    env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
    serialization: "advanced",
    stdio: ["ignore", 2, "ignore", "ipc"],
  });
  const stop = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    return await new Promise<CleanImage>((resolve, reject) => {
      stop.addEventListener("abort", () => reject(signal.aborted ? signal.reason : tooCostly()), { once: true });
      child.on("message", (message: FromImageProcess) => {
        if (message.type === "ready") child.send({ bytes } satisfies ImageJob, () => {});
        else if (message.type === "done") resolve(message.image);
        else reject(new ImageError(message.message));
      });
      child.on("error", reject);
      // It was given up, or has fallen over its picture.
      child.on("exit", () => reject(tooCostly()));
    });
  } finally {
    child.kill("SIGKILL");
  }
}

function tooCostly(): ImageError {
  return new ImageError("it cannot be decoded, or takes too much time or memory");
}
