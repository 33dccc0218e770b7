import { benchStages } from "./kokoro/stage-speed.ts";

const names: Readonly<Record<string, string>> = { "whole chain, fast": "fast", "whole chain, full": "full" };

/** The stages of the default voice on one thread, and the whole chain with Kokoro's original networks. */
export async function benchDefaultVoice(): Promise<Record<string, number>> {
  const rows = await benchStages([1]);
  return Object.fromEntries(Object.entries(rows).map(([stage, row]) => [names[stage] ?? stage, row["1 thread"] ?? 0]));
}
