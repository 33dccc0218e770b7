import type { ApiError } from "@parlance/protocol";
import { createRound, Interruption } from "../../fish/live/round.ts";
import type { SessionOptions, SessionParts } from "../../fish/live/session-parts.ts";
import type { SessionSlot } from "../../fish/live/session-slot.ts";
import { performRound } from "../../fish/live/socket-round.ts";
import { openai } from "../openai.ts";
import type { MessageItem } from "./items.ts";
import { createPlayback, type Playback } from "./playback.ts";
import { addOutput, type OutputContext } from "./response-output.ts";
import type { AnswerSettings } from "./session-config.ts";
import { createSpokenText } from "./spoken-text.ts";

/** What an answer is spoken with. */
export interface SpeakingParts {
  readonly parts: SessionParts;
  readonly options: SessionOptions;
  readonly slot: SessionSlot;
  /** Aborted when the socket has closed. */
  readonly closed: AbortSignal;
}

/** An answer in words: spoken, or as text. */
export interface MessageOutput {
  readonly item: MessageItem;
  /** Undefined for text. */
  readonly playback: Playback | undefined;
  push(text: string): Promise<void>;
  /** The text has ended. Resolves when all of it was spoken and sent, with the error if that failed. */
  end(): Promise<ApiError | undefined>;
  /** Nothing more is spoken from here on. */
  interrupt(): void;
  finish(status: "completed" | "incomplete"): Promise<void>;
}

/** `onFault` is called when the speech fails while text still comes. */
export async function openMessage(
  context: OutputContext,
  index: number,
  settings: AnswerSettings,
  speaking: SpeakingParts,
  onFault: (fault: ApiError) => void,
): Promise<MessageOutput> {
  const { ids, send } = context;
  const spoken = settings.isSpoken ? createSpokenText() : undefined;
  const item: MessageItem = {
    type: "message",
    id: ids.next("item"),
    role: "assistant",
    content: settings.isSpoken ? "output_audio" : "output_text",
    text: "",
    status: "in_progress",
    ...(spoken === undefined ? {} : { spoken }),
  };
  const output = addOutput(context, index, item);
  const message = (type: string, fields: object): object => output.message(type, { content_index: 0, ...fields });
  const playback = settings.isSpoken ? createPlayback() : undefined;
  const round = createRound(settings.speech, () => {});
  let speech: Promise<ApiError | undefined> = Promise.resolve(undefined);
  const part = () => (settings.isSpoken ? { type: "audio", transcript: item.text } : { type: "text", text: item.text });

  function speak(): Promise<ApiError | undefined> {
    const { parts, options, slot, closed } = speaking;
    return performRound(round, parts, options, {
      dialect: openai.name,
      model: undefined,
      withTimestamps: true,
      slot,
      closed,
      onIdle: () => {},
      async send(audio, fields) {
        if (round.controller.signal.aborted) return;
        spoken?.add(fields);
        if (audio.length === 0) return;
        playback?.sent(audio.length / settings.bytesPerSecond);
        await send([message("response.output_audio.delta", { delta: Buffer.from(audio).toString("base64") })]);
      },
    });
  }

  await send([...output.added, message("response.content_part.added", { part: part() })]);
  if (settings.isSpoken) {
    speech = speak();
    void speech.then((fault) => fault && onFault(fault));
  }

  return {
    item,
    playback,
    async push(text) {
      item.text += text;
      round.input.push(text);
      const type = settings.isSpoken ? "response.output_audio_transcript.delta" : "response.output_text.delta";
      await send([message(type, { delta: text })]);
    },
    end() {
      round.input.end();
      return speech;
    },
    interrupt: () => round.controller.abort(new Interruption()),
    async finish(status) {
      const whole = settings.isSpoken
        ? [
            message("response.output_audio.done", {}),
            message("response.output_audio_transcript.done", { transcript: item.text }),
          ]
        : [message("response.output_text.done", { text: item.text })];
      await send([...whole, message("response.content_part.done", { part: part() }), ...output.done(status)]);
    },
  };
}
