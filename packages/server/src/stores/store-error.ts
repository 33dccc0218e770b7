import { errorCode } from "../lib/error-code.ts";

/** The database cannot be used. The message is one line for the operator. */
export class StoreError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StoreError";
  }
}

const UNREACHABLE =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|08...|57P0[123]|53300)$/;
/** Messages of the driver that have no code. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether the database is stopped, restarting or unreachable. It may be back soon. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return UNREACHABLE.test(errorCode(error) ?? "") || LOST.test(error.message);
}

/** Whether the disk or the quota of the database or of the data folder is used up. */
export function isStorageFull(error: unknown): boolean {
  return /^(SQLITE_FULL|ENOSPC|EDQUOT|53100)$/.test(errorCode(error) ?? "");
}

/** Whether an insert failed because the key exists already. */
export function isTaken(error: unknown): boolean {
  const code = errorCode(error);
  return code === "23505" || code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY";
}
