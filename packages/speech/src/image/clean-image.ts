import { forkModule, siblingModule } from "../lib/child-process.ts";
import type { CleanImage, FromImageProcess, ImageJob } from "./messages.ts";
import { ImageError } from "./reencode.ts";
import { sniffImage } from "./sniff.ts";

export type { CleanImage } from "./messages.ts";
export { ImageError } from "./reencode.ts";

const TIMEOUT_MS = 30_000;

/**
 * Decodes and encodes an untrusted picture in a separate process: the result has no metadata and at most 1024 pixels on a
 * side. Throws `ImageError`, with a message for the client, when it is not a picture.
 *
 * @example
 * ```ts
 * import { readFile, writeFile } from "node:fs/promises";
 * import { cleanImage } from "@parlance/speech";
 *
 * const { bytes, type, width, height } = await cleanImage(await readFile("upload"), AbortSignal.timeout(30_000));
 * console.log(type, width, height);
 * await writeFile("cover.jpg", bytes);
 * ```
 */
export async function cleanImage(
  bytes: Uint8Array,
  signal: AbortSignal,
  { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Promise<CleanImage> {
  if (sniffImage(bytes) === undefined) throw new ImageError("it must be a PNG, JPEG or WebP picture");
  signal.throwIfAborted();
  const child = forkModule(siblingModule("./image-main", import.meta.url), {
    stdio: ["ignore", 2, "ignore", "ipc"],
    minimalEnvironment: true,
  });
  let stop = (): void => {};
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<CleanImage>((resolve, reject) => {
      // Not AbortSignal.timeout inside of AbortSignal.any: nothing holds it, and a garbage collection ends it.
      timer = setTimeout(() => reject(tooCostly()), timeoutMs);
      stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop);
      child.on("message", (message: FromImageProcess) => {
        if (message.type === "ready") child.send({ bytes } satisfies ImageJob, () => {});
        else if (message.type === "done") resolve(message.image);
        else reject(new ImageError(message.message));
      });
      child.on("error", reject);
      // The guard has ended it, or it has crashed.
      child.on("exit", () => reject(tooCostly()));
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    child.kill("SIGKILL");
  }
}

function tooCostly(): ImageError {
  return new ImageError("it cannot be decoded, or takes too much time or memory");
}
