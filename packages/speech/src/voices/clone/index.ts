export { CloneError } from "./clone-error.ts";
export {
  type ClonedRecording,
  type ClonedVoice,
  type CloneRequest,
  type Cloning,
  type CloningOptions,
  createCloning,
  type RefinementRequest,
} from "./cloning.ts";
export { lettersPerSecond } from "./pace.ts";
export type { RefinedVoice } from "./refinement.ts";
export type { SpeakerFeatures, WeightedFeatures } from "./speaker-features.ts";
export { createTrialSpeech, type TrialSpeech } from "./trial-speech.ts";
