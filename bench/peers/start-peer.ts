import { fork } from "node:child_process";
import { on, once } from "node:events";
import { sourcePath } from "../../tests/support/child-sources.ts";
import { measureProcesses } from "../process-usage.ts";
import type { PeerName } from "./names.ts";
import type { SpokenText } from "./peer.ts";

/** A peer takes at most this long to load, or to answer. */
const LIMIT_MS = 120_000;

export interface RunningPeer {
  speak(text: string): Promise<SpokenText>;
  transcribe(samples: Float32Array): Promise<{ readonly totalMs: number; readonly text: string }>;
  /** Ends it. Returns the largest memory that it used. */
  close(): Promise<number>;
}

/** Starts a peer in a process of its own. Throws with its reason where it cannot be loaded. */
export async function startPeer(name: PeerName, packages: string): Promise<RunningPeer> {
  const child = fork(sourcePath("./process.ts", import.meta.url), [name, packages], { serialization: "advanced" });
  const usage = measureProcesses(child.pid ?? 0);
  const messages = on(child, "message", { close: ["exit", "disconnect"], signal: AbortSignal.timeout(20 * LIMIT_MS) });
  const answer = async () => {
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    const next = await messages.next();
    clearTimeout(timer);
    if (next.done) throw new Error(`${name} ended or took more than ${LIMIT_MS / 1000} s`);
    return next.value[0];
  };
  const ask = (request: object) => {
    child.send(request);
    return answer();
  };
  const close = async (): Promise<number> => {
    const { peakRssMb } = usage.end();
    const runs = child.exitCode === null && child.signalCode === null;
    const exited = runs ? once(child, "exit") : undefined;
    child.kill("SIGKILL");
    await exited;
    return peakRssMb;
  };
  try {
    const { failed } = await answer();
    if (failed !== undefined) throw new Error(failed);
  } catch (error) {
    await close();
    throw error;
  }
  return { speak: (text) => ask({ text }), transcribe: (samples) => ask({ samples }), close };
}
