import { type Cloning, SpeechError } from "@parlance/speech";

/** For a server that was started without the means to make voices. It speaks with those that there are. */
export const noCloning: Cloning = {
  want() {},
  missing: () => ["cloning is switched off"],
  create: () => Promise.reject(new SpeechError("failed", "voices cannot be made here")),
  refine: () => Promise.reject(new SpeechError("failed", "voices cannot be made here")),
  refresh: async () => {},
  close: async () => {},
};
