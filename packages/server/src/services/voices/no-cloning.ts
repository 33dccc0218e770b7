import { type Cloning, SpeechError } from "@parlance/speech";

/** For a server with cloning switched off. Existing voices still speak. */
export const noCloning: Cloning = {
  requestModels: async () => {},
  missingModels: () => ["cloning is switched off"],
  prepare: () => {},
  create: () => Promise.reject(new SpeechError("failed", "voices cannot be made here")),
  remake: () => Promise.reject(new SpeechError("failed", "voices cannot be made here")),
  networkVectorOf: () => Promise.reject(new SpeechError("failed", "recordings cannot be analyzed here")),
  canRefine: () => false,
  refine: () => Promise.reject(new SpeechError("failed", "voices cannot be refined here")),
  encoderVersion: async () => "",
  speakerNetworkVersion: async () => "",
  refresh: async () => {},
  close: async () => {},
};
