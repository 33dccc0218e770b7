export { ModelStoreError, type ModelStoreErrorCode } from "./errors.ts";
export { describeProblem, type FileProblem, type InstallState } from "./installed.ts";
export { defaultModelsDirectory } from "./layout.ts";
export { findModel, manifest, selectModels } from "./manifest.ts";
export {
  downloadBytes,
  type FileSource,
  type Model,
  type ModelFile,
  type ModelSet,
  modelBytes,
  type NpmPiece,
  type NpmTarball,
} from "./model.ts";
export { createProgressReporter, formatBytes, type ProgressStream } from "./progress.ts";
export type { PullEvent, PullStep } from "./pull-event.ts";
export type { Patience } from "./stall-timeout.ts";
export {
  createModelStore,
  type ModelStatus,
  type ModelStore,
  type ModelStoreOptions,
  type PullOptions,
} from "./store.ts";
