export type { HeardSpeaker } from "./analyzed-speaker.ts";
export { CloneError } from "./clone-error.ts";
export {
  type ClonedRecording,
  type ClonedVoice,
  type CloneRequest,
  type Cloning,
  type CloningOptions,
  createCloning,
  type Refinement,
} from "./cloning.ts";
export { lettersPerSecond } from "./pace.ts";
export type { Effort, RefinedVoice } from "./refinement.ts";
export { createSayTrial, type SayTrial } from "./say-trial.ts";
