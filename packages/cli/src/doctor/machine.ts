import { access, constants, statfs } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { dirname } from "node:path";
import { type Finding, fail, note, ok } from "./check.ts";

const oldest = [20, 19] as const;

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const recent = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  if (recent) return ok("node", `Node ${version}`);
  return fail("node", `Node ${version}`, `Install Node ${oldest.join(".")} or newer.`);
}

export function checkPlatform(platform = process.platform, arch: string = process.arch): Finding {
  const cores = availableParallelism();
  const detail = `${platform} ${arch}, ${cores} ${cores === 1 ? "core" : "cores"}, ${Math.round(totalmem() / 1e9)} GB memory`;
  const known = ["linux", "darwin"].includes(platform) && ["x64", "arm64"].includes(arch);
  if (!known) return fail("platform", detail, "Parlance is made for Linux and macOS on x64 or arm64.");
  if (totalmem() < 1e9) return note("platform", detail, "Give it 1 GB or more: models are held in memory.");
  return ok("platform", detail);
}

/** Room for the default models' files and the largest download. */
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
    return fail("disk", messageOf(error), "Set PARLANCE_MODELS to a folder that can be written.");
  }
}

export async function checkDataFolder(folder: string): Promise<Finding> {
  try {
    await access(await existingParent(folder), constants.W_OK);
    return ok("data", `the server's data can be kept in ${folder}`);
  } catch (error) {
    return fail("data", messageOf(error), "Set PARLANCE_DATA to a folder that can be written.");
  }
}

/** The folder, or the one in which it would be made. */
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
