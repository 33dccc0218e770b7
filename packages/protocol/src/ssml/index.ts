/** Speech Synthesis Markup Language, as a request of this API. Apart from the rest because of its XML parser. */
export { createSsmlReader, readSsml, SsmlError, type SsmlReader } from "./read-ssml.ts";
export type { SsmlSpeech } from "./speech-text.ts";
