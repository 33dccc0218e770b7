import type { Decimator } from "../../../audio/decimate.ts";
import { soundRange } from "../../../engines/kokoro/sound-range.ts";
import { HOP, type Prosody } from "../../../engines/kokoro/student/shape.ts";
import {
  createChunk,
  type VoiceGradient,
  type VoiceParameters,
} from "../../../engines/kokoro/student/voice-gradient.ts";

/** A text that voices say to speaker networks. */
export interface SpokenText {
  say(voice: VoiceParameters): Promise<Said>;
}

export interface Said {
  /** At the sample rate of the speaker networks. */
  readonly speech: Float32Array;
  /** The gradient by the voice, from a gradient by the speech. */
  backward(gradient: Float32Array): Promise<VoiceParameters>;
}

/**
 * The silence before and after a text is left out, as in the recordings: a fifth of the frames would be silent, more than any
 * microphone is, and speaker networks compare each frame with the mean.
 */
export function createSpokenText(prosody: Prosody, decoder: VoiceGradient, decimator: Decimator): SpokenText {
  const chunk = createChunk(prosody);
  const { start, end } = soundRange(prosody.energy);
  const [from, to] = [start * HOP, end * HOP];
  return {
    async say(voice) {
      const { samples, backward } = await decoder.speak(chunk, voice);
      return {
        speech: decimator.forward(samples.subarray(from, to)),
        backward(gradient) {
          const bySample = new Float32Array(samples.length);
          bySample.set(decimator.backward(gradient, to - from), from);
          return backward(bySample);
        },
      };
    },
  };
}
