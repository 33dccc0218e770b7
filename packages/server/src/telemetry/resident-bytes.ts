import { readFile } from "node:fs/promises";

const PAGE_BYTES = 4096;

/** The resident memory of a process on Linux; 0 on other systems. */
export async function residentBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
  return Number(statm.split(" ")[1] ?? 0) * PAGE_BYTES;
}
