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
export type { HeardSpeaker } from "./heard-speaker.ts";
export { lettersPerSecond } from "./pace.ts";
export type { Effort, RefinedVoice } from "./refining.ts";
export { createSayTrial, type SayTrial } from "./say-trial.ts";
