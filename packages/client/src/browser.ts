/** What needs a browser. Its types need those of the DOM. */
export { type Microphone, type MicrophoneOptions, openMicrophone } from "./microphone/microphone.ts";
