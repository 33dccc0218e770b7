/** Worker machines that make tones, in one process, until it is killed. */
import { joinToneMachine } from "../../packages/speech/src/testing/tone-machine.ts";
import { runAsChild } from "./child-protocol.ts";
import type { MachinesStart } from "./cluster-processes.ts";

runAsChild(async ({ url, names, pool }: MachinesStart) => {
  await Promise.all(names.map((name) => joinToneMachine(url, name, pool)));
  return "";
});
