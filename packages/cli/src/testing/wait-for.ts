import assert from "node:assert/strict";
import { until } from "../../../../tests/support/until.ts";
import type { RunningCli } from "./run-cli.ts";

/** Waits for a condition while a command runs. Fails when the command ends before. */
export function whileRunning<Value>(cli: RunningCli, condition: () => Value | Promise<Value>) {
  const probe = async (): Promise<Value> => {
    const value = await condition();
    if (value !== false && value !== undefined) return value;
    assert.equal(cli.process.exitCode ?? cli.process.signalCode, null, cli.stderr());
    return value;
  };
  return until(probe, { what: condition.toString(), timeoutMs: 120_000, everyMs: 20 });
}

/** Waits until `parlance serve` has printed its address, and returns it. */
export function listening(cli: RunningCli): Promise<string> {
  return whileRunning(cli, () => /listens at (http:\/\/\S+)/.exec(cli.stderr())?.[1]);
}
