import { createVoiceFiles, type VoiceFiles } from "../services/voices/voice-files.ts";
import type { Store } from "../stores/store.ts";
import { createLog } from "../telemetry/log.ts";

/** Files of voices without an object storage. */
export function databaseFiles(store: Store): VoiceFiles {
  return createVoiceFiles({ store, objects: undefined, log: createLog("silent") });
}
