import { type DestinationStream, type Logger, pino } from "pino";
import type { LogLevel } from "../config/config.ts";

export type Log = Logger;

/** Structured lines on standard output. Credentials are redacted, even if all headers of a request are logged. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    redact: { paths: ["authorization", "*.authorization", "*.*.authorization", "headers.cookie"], censor: "[hidden]" },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
