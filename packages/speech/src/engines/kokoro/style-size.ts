/** Numbers in a style of Kokoro: the first half is the timbre, the second half the prosody. */
export const STYLE_SIZE = 256;
export const TIMBRE_SIZE = STYLE_SIZE / 2;
