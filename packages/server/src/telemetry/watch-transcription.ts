import { AudioError, SpeechError, type Transcription } from "@parlance/speech";
import type { EngineEvents } from "./engine-events.ts";

/** Reports every transcription to the engine events. */
export function watchTranscription(
  transcription: Transcription,
  events: Pick<EngineEvents, "transcribed" | "transcriptionFailed">,
): Transcription {
  return {
    ...transcription,
    async transcribe(request, signal, ...rest) {
      let decodedAt: number | undefined;
      const onDecoded = async (seconds: number): Promise<void> => {
        await request.onDecoded?.(seconds);
        decodedAt = performance.now();
      };
      try {
        const transcript = await transcription.transcribe({ ...request, onDecoded }, signal, ...rest);
        const seconds = (performance.now() - (decodedAt ?? performance.now())) / 1000;
        events.transcribed({ audioSeconds: transcript.duration, seconds });
        return transcript;
      } catch (error) {
        // A failure before the end of decoding, or after an abort, says nothing about the recognizer.
        const isFault = decodedAt !== undefined && !signal.aborted && !(error instanceof AudioError);
        if (isFault && !(error instanceof SpeechError && error.code !== "failed")) events.transcriptionFailed();
        throw error;
      }
    },
  };
}
