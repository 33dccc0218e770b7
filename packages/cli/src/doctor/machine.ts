import { access, constants, statfs } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { dirname } from "node:path";
import { type Finding, fail, note, ok } from "./check.ts";

const minimumVersion = [20, 19] as const;

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const recent = major > minimumVersion[0] || (major === minimumVersion[0] && minor >= minimumVersion[1]);
  if (recent) return ok("node", `Node ${version}`);
  return fail("node", `Node ${version}`, `Install Node ${minimumVersion.join(".")} or newer.`);
}

export function checkPlatform(platform = process.platform, arch: string = process.arch): Finding {
  const cores = availableParallelism();
  const detail = `${platform} ${arch}, ${cores} ${cores === 1 ? "core" : "cores"}, ${Math.round(totalmem() / 1e9)} GB memory`;
  const known = ["linux", "darwin"].includes(platform) && ["x64", "arm64"].includes(arch);
  if (!known) return fail("platform", detail, "Parlance supports Linux and macOS on x64 and arm64.");
  if (totalmem() < 1e9)
    return note("platform", detail, "Models are loaded into memory: use a machine with 1 GB or more.");
  return ok("platform", detail);
}

/** For the files of the default models and the largest download. */
const neededBytes = 500e6;

export async function checkDisk(folder: string, modelsInstalled: boolean): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(await existingParent(folder));
    const free = bavail * bsize;
    const detail = `${(free / 1e9).toFixed(1)} GB free for models (${folder})`;
    if (free >= neededBytes) return ok("disk", detail);
    const remedy = "Free some space, or set PARLANCE_MODELS to a folder on a larger disk.";
    return modelsInstalled ? note("disk", detail, remedy) : fail("disk", detail, remedy);
  } catch (error) {
    return fail("disk", messageOf(error), "Set PARLANCE_MODELS to a writable folder.");
  }
}

export async function checkDataFolder(folder: string): Promise<Finding> {
  try {
    await access(await existingParent(folder), constants.W_OK);
    return ok("data", `${folder} is writable (data)`);
  } catch (error) {
    return fail("data", messageOf(error), "Set PARLANCE_DATA to a writable folder.");
  }
}

/** The folder, or its nearest parent that exists. */
async function existingParent(folder: string): Promise<string> {
  for (let path = folder; ; path = dirname(path)) {
    try {
      await statfs(path);
      return path;
    } catch (error) {
      if (dirname(path) === path) throw error;
    }
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? error.name) : String(error);
}
