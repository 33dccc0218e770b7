import { describeProblem, engineNames, type ModelStore, selectModels } from "@parlance/speech";
import { modelOf } from "../models.ts";
import { type Finding, fail, note, ok } from "./check.ts";

/** Compares file sizes, and with `deep` every hash. */
export async function checkModels(store: ModelStore, deep: boolean, signal: AbortSignal): Promise<readonly Finding[]> {
  const needed = new Set(selectModels(["default"]).map(({ id }) => id));
  const engineModels = new Set(engineNames.map(modelOf));
  const findings: Finding[] = [];
  for (const { model, state } of await store.list()) {
    const check = `model ${model.id}`;
    if (state === "absent" && needed.has(model.id))
      findings.push(fail(check, `${model.title}: not installed`, `parlance models pull ${model.id}`));
    else if (state === "absent" && engineModels.has(model.id))
      findings.push(note(check, `${model.title}: not installed`, `For more voices: parlance models pull ${model.id}`));
    else if (state === "damaged")
      findings.push(fail(check, `${model.title}: damaged or outdated`, `parlance models pull ${model.id}`));
    else if (state === "installed")
      findings.push(deep ? await hashed(store, model.id, model.title, signal) : ok(check, `${model.title}: installed`));
  }
  return findings;
}

async function hashed(store: ModelStore, id: string, title: string, signal: AbortSignal): Promise<Finding> {
  const [problem] = await store.verify([id], { signal });
  if (!problem) return ok(`model ${id}`, `${title}: installed, every sha256 matches`);
  const remedy = `parlance models remove ${id} && parlance models pull ${id}`;
  return fail(`model ${id}`, describeProblem(problem), remedy);
}
