import { type DestinationStream, type Logger, pino } from "pino";
import type { LogLevel } from "../config/config.ts";

export type Log = Logger;

/** Structured lines on standard output. Keys never get in, even if somebody logs a whole request's headers. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    redact: { paths: ["authorization", "*.authorization", "*.*.authorization", "headers.cookie"], censor: "[hidden]" },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
