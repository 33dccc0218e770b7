import { apiError } from "@parlance/protocol";
import type { Cloning } from "@parlance/speech";
import { noCloning } from "./no-cloning.ts";

const RETRY_AFTER_SECONDS = 20;

/** Throws unless all models for cloned voices are installed. Requests the missing ones. */
export function requireCloning(cloning: Pick<Cloning, "missingModels" | "requestModels">): void {
  if (cloning === noCloning) throw apiError("cloning_off", {});
  const missing = cloning.missingModels();
  if (missing.length === 0) return;
  cloning.requestModels();
  const what = `what voices are made with is fetched first (${missing.join(", ")})`;
  throw apiError("not_ready", { missing: what }, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
