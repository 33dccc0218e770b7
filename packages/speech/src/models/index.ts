export { ModelStoreError, type ModelStoreErrorCode } from "./errors.ts";
export { describeProblem, type FileProblem, type InstallState } from "./installed.ts";
export { defaultModelsDirectory } from "./layout.ts";
export {
  downloadBytes,
  type FileSource,
  type Model,
  type ModelFile,
  modelBytes,
  type NpmPiece,
  type NpmTarball,
} from "./model.ts";
export { createProgressReporter, formatBytes, type ProgressReporter, type ProgressStream } from "./progress.ts";
export type { PullEvent, PullStep } from "./pull-event.ts";
export type { ModelStatus, ModelStore, PullOptions } from "./store.ts";
export type { StoreTimeouts } from "./timeouts.ts";
