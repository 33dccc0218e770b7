import { fileURLToPath } from "node:url";
import { type EngineName, plainRequest, type Speech, type Transcription } from "@parlance/speech";

/** "All is well.", as one of our voices says it. */
const RECORDING = fileURLToPath(new URL("../../../assets/canary.wav", import.meta.url));

/** A word through the real pool. Nobody pays for it, and no figure knows of it. */
export async function saySomething(speech: Speech, engine: EngineName, signal: AbortSignal): Promise<void> {
  const voice = speech.defaultVoice(engine);
  if (voice === undefined) throw new Error(`${engine} has no voice`);
  let bytes = 0;
  const output = { format: "pcm", sampleRate: 16_000, mp3Bitrate: 128, opusBitrate: "auto" } as const;
  const request = plainRequest("Well.", voice, { output, temperature: 0, uncounted: true });
  const parts = speech.speak(request, signal);
  for await (const part of parts) bytes += part.bytes.length;
  signal.throwIfAborted();
  if (bytes === 0) throw new Error("nothing was to be heard");
}

/** A short recording through the real recognisers, which are not kept for it. */
export async function hearSomething(transcription: Transcription, signal: AbortSignal): Promise<void> {
  const request = { path: RECORDING, language: "en", granularity: "segment", inPassing: true } as const;
  const { text } = await transcription.transcribe(request, signal);
  if (text.trim() === "") throw new Error("nothing was understood");
}
