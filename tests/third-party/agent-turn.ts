import type { tts } from "@livekit/agents";

/** Sends a turn in pieces, as a language model writes it, and yields its audio. */
export async function* speakTurn(stream: tts.SynthesizeStream, turn: string): AsyncGenerator<tts.SynthesizedAudio> {
  for (const token of turn.match(/.{1,5}/g) ?? []) stream.pushText(token);
  stream.flush();
  stream.endInput();
  for await (const audio of stream) if (typeof audio !== "symbol") yield audio;
}
