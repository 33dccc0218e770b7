export * from "./create-speech.ts";
export * from "./models/index.ts";
export * from "./speech.ts";
export { builtInVoices } from "./voices/index.ts";
