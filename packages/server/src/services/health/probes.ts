import { fileURLToPath } from "node:url";
import { defaultRequest, type EngineName, type Speech, type Transcription } from "@parlance/speech";

/** "All is well.", spoken by a stock voice. */
const RECORDING = fileURLToPath(new URL("../../../assets/probe.wav", import.meta.url));

/** Speaks one word through the real pool. It is not charged and not counted in metrics. */
export async function probeSynthesis(speech: Speech, engine: EngineName, signal: AbortSignal): Promise<void> {
  const voice = speech.defaultVoice(engine);
  if (voice === undefined) throw new Error(`${engine} has no voice`);
  let bytes = 0;
  const output = { format: "pcm", sampleRate: 16_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
  const request = defaultRequest("Well.", voice, { output, temperature: 0, internal: true });
  const parts = speech.speak(request, signal);
  for await (const part of parts) bytes += part.bytes.length;
  signal.throwIfAborted();
  if (bytes === 0) throw new Error("the engine returned no audio");
}

/** Transcribes a short recording with the real recognizer, whose workers are not kept running for it. */
export async function probeRecognition(transcription: Transcription, signal: AbortSignal): Promise<void> {
  const request = { path: RECORDING, language: "en", granularity: "segment", probe: true } as const;
  const { text } = await transcription.transcribe(request, signal);
  if (text.trim() === "") throw new Error("the recognizer returned no text");
}
