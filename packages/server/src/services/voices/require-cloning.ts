import { apiError } from "@parlance/protocol";
import { type Cloning, cloningEngine } from "@parlance/speech";
import { doneWithin, orAborted } from "../../lib/time-limit.ts";
import type { VoiceRecord } from "../../stores/voices.ts";
import { noCloning } from "./no-cloning.ts";

const RETRY_AFTER_SECONDS = 20;
/** Most clients wait for a minute before they give up; many do not retry after a 503. */
const MAX_WAIT_MS = 45_000;
type Models = Pick<Cloning, "missingModels" | "requestModels">;

/** Waits for models that are being fetched. Throws unless all models for cloned voices are installed then. */
export async function waitForCloning(cloning: Models, signal: AbortSignal, maxWaitMs = MAX_WAIT_MS): Promise<void> {
  if (cloning !== noCloning && cloning.missingModels().length > 0) {
    await doneWithin(orAborted(cloning.requestModels(), signal), maxWaitMs);
  }
  requireCloning(cloning);
}

/** Throws unless all models for cloned voices are installed. Requests the missing ones. */
export function requireCloning(cloning: Models): void {
  if (cloning === noCloning) throw apiError("cloning_off", {});
  const missing = cloning.missingModels();
  if (missing.length === 0) return;
  void cloning.requestModels();
  const what = `what voices are made with is fetched first (${missing.join(", ")})`;
  throw apiError("not_ready", { missing: what }, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Throws why the engine of a cloned voice is not installed, and what to do. */
export function requireEngine({ engine, refinement }: VoiceRecord, cloning: Models): void {
  if (engine === cloningEngine.name) {
    requireCloning(cloning);
    return;
  }
  if (cloning !== noCloning && (refinement === "waiting" || refinement === "running"))
    throw apiError(
      "not_ready",
      { missing: `the voice is being made anew for ${cloningEngine.name}` },
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  throw apiError("voice_engine_missing", { engine });
}
