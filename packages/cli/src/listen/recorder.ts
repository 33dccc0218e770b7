import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { findProgram } from "../find-program.ts";

/** Programs that write the microphone to their standard output: 16 bits, 16 kHz, one channel. */
const recorders: readonly (readonly [name: string, ...args: readonly string[]])[] = [
  ["pw-record", "--rate", "16000", "--channels", "1", "--format", "s16", "-"],
  ["parec", "--raw", "--rate=16000", "--channels=1", "--format=s16le", "--latency-msec=50"],
  ["arecord", "-q", "-t", "raw", "-f", "S16_LE", "-r", "16000", "-c", "1"],
  ["rec", "-q", "-t", "s16", "-r", "16000", "-c", "1", "-"],
];

export const recorderNames: readonly string[] = recorders.map(([name]) => name);

export interface Recorder {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

export function findRecorder(path: string): Recorder | undefined {
  for (const [name, ...args] of recorders) {
    const command = findProgram(path, name);
    if (command) return { name, command, args };
  }
  return undefined;
}

/** The audio of the microphone until the signal aborts. */
export function record({ command, args }: Recorder, signal: AbortSignal): Readable {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  signal.addEventListener("abort", () => child.kill(), { once: true });
  child.once("error", (error) => child.stdout.destroy(error));
  return child.stdout;
}
