import { errorCode } from "./error-code.ts";

/** Whether a process with this id runs on this machine, under any user. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
