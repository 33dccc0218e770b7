/** The sample rate of the network. */
export const sampleRate = 16_000;
/** Samples of one chunk: 32 ms. */
export const chunkSamples = 512;
export const chunkSeconds = chunkSamples / sampleRate;
/** The length of the lead: after a second the initial state of the network has no effect any more. */
export const leadChunks = 32;
