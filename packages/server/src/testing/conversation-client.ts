import assert from "node:assert/strict";
import { connectJson, type JsonMessage, type JsonSocket } from "./json-socket.ts";
import { TEST_KEY } from "./test-server.ts";
import { type Burst, burstSamples } from "./wav-file.ts";

/** A client of conversations, with audio of 16 kHz. */
export interface ConversationClient extends Omit<JsonSocket, "next"> {
  /** All messages up to the next one of this type, which is the last. */
  upTo(type: string): Promise<readonly JsonMessage[]>;
}

const FORMAT = { type: "audio/pcm", rate: 16_000 };

export const update = (session: object, input: object = {}, output: object = {}) => ({
  type: "session.update",
  session: { type: "realtime", ...session, audio: { input: { format: FORMAT, ...input }, output } },
});

/** Messages with the audio of bursts, which are recognized as words. */
export function spoken(seconds: number, bursts: readonly Burst[]): readonly object[] {
  const samples = burstSamples(seconds, bursts);
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Array.from({ length: Math.ceil(bytes.length / 3200) }, (_, index) => ({
    type: "input_audio_buffer.append",
    audio: bytes.subarray(index * 3200, (index + 1) * 3200).toString("base64"),
  }));
}

export const userText = (text: string) => ({
  type: "conversation.item.create",
  item: { type: "message", role: "user", content: [{ type: "input_text", text }] },
});

export async function connectConversation(
  url: string,
  headers: Readonly<Record<string, string>> = { authorization: `Bearer ${TEST_KEY}` },
): Promise<ConversationClient> {
  const { next, ...socket } = await connectJson(`${url}/v1/realtime?model=gpt-realtime`, headers);
  return {
    ...socket,
    async upTo(type) {
      const messages: JsonMessage[] = [];
      for (;;) {
        const message = await next();
        assert.ok(typeof message === "object", `closed with ${message} before ${type}`);
        messages.push(message);
        if (message.type === type) return messages;
      }
    },
  };
}

/** The types in their order, each once where it comes several times in a row. */
export function typesOf(messages: readonly JsonMessage[]): readonly string[] {
  const types = messages.map(({ type }) => String(type));
  return types.filter((type, index) => type !== types[index - 1]);
}
