import { errorCode } from "./errors.ts";

/** Whether a process with this id exists on this machine, in this process's namespace. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other error, such as EPERM, means that it exists.
    return errorCode(error) !== "ESRCH";
  }
}
