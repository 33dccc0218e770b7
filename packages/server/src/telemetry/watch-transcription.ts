import { AudioError, SpeechError, type Transcription } from "@parlance/speech";
import type { EngineEvents } from "./engine-events.ts";

/** The same, and whoever listens to the events is told what each recording took. */
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
        const heard = await transcription.transcribe({ ...request, onDecoded }, signal, ...rest);
        const seconds = (performance.now() - (decodedAt ?? performance.now())) / 1000;
        events.transcribed({ audioSeconds: heard.duration, seconds });
        return heard;
      } catch (error) {
        // Before it was decoded, or when it was stopped, nothing is known of those who listen.
        const isOurs = decodedAt !== undefined && !signal.aborted && !(error instanceof AudioError);
        if (isOurs && !(error instanceof SpeechError && error.code !== "failed")) events.transcriptionFailed();
        throw error;
      }
    },
  };
}
