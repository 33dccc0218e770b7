import type { ApiError } from "@parlance/protocol";
import { withSpan } from "@parlance/speech";
import { asApiError, logFault } from "../../../http/errors.ts";
import { orAborted } from "../../../lib/time-limit.ts";
import type { AnswerEvent, LanguageModel } from "../../../services/conversation/chat.ts";
import { CLIENT_GONE } from "../../../telemetry/request-log.ts";
import { Interruption } from "../../fish/live/round.ts";
import { type CallOutput, openCall } from "./call-output.ts";
import { chatMessages } from "./chat-messages.ts";
import { type MessageOutput, openMessage, type SpeakingParts } from "./message-output.ts";
import type { OutputContext } from "./response-output.ts";
import { type Cancellation, type ResponseEnd, responseToWire } from "./response-wire.ts";
import type { AnswerSettings } from "./session-config.ts";

export interface ResponseOptions extends OutputContext, SpeakingParts {
  readonly model: LanguageModel;
  readonly settings: AnswerSettings;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Resolves when everything that was said before is in the history. */
  readonly ready: Promise<void>;
}

/** One answer of the model: words, which are spoken while the model writes them, and calls of functions. */
export interface Response {
  readonly id: string;
  cancel(reason: Cancellation): void;
  readonly isCancelled: boolean;
  /** Its words, as soon as there are some. */
  readonly message: Pick<MessageOutput, "item" | "playback"> | undefined;
  /** Resolves after `response.done`, with whether there was any output. Never rejects. */
  readonly done: Promise<boolean>;
}

export function startResponse(options: ResponseOptions): Response {
  const { ids, responseId, history, model, settings, parts, slot, closed, send } = options;
  const { caller, identify, log, trace: upgrade } = options.options;
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, closed]);
  const trace = upgrade.follow("response", performance.timeOrigin + performance.now());
  const calls: CallOutput[] = [];
  let message: MessageOutput | undefined;
  let cancelled: Cancellation | undefined;
  let outputs = 0;

  const wire = (end: ResponseEnd | undefined): object => {
    const items = [...(message === undefined ? [] : [message.item]), ...calls.map(({ item }) => item)];
    return { response: responseToWire(responseId, settings, options.metadata, items, end) };
  };

  async function take(event: Exclude<AnswerEvent, { type: "end" }>): Promise<void> {
    switch (event.type) {
      case "text":
        message ??= await openMessage(options, outputs++, settings, options, (fault) => controller.abort(fault));
        return message.push(event.text);
      case "call":
        calls[event.call] = await openCall(options, outputs++, event);
        return;
      case "arguments":
        return calls[event.call]?.push(event.text);
    }
  }

  /** Reads the whole answer. Resolves with its last event. */
  async function read(): Promise<Extract<AnswerEvent, { type: "end" }> | undefined> {
    await orAborted(options.ready, signal);
    const acquire = () =>
      withSpan(trace, "admission", async (admission) => {
        const found = await withSpan(admission, "auth", identify);
        return withSpan(admission, "limits", () => parts.limits.acquire(found, signal));
      });
    await slot.take(acquire, controller);
    const { instructions, tools, toolChoice, maxTokens } = settings;
    const messages = chatMessages(instructions, history.items);
    return withSpan(trace, "model", async (span) => {
      for await (const event of model.answer({ messages, tools, toolChoice, maxTokens }, signal)) {
        if (event.type === "end") {
          span.set({ calls: calls.length, characters: message?.item.text.length ?? 0 });
          return event;
        }
        await take(event);
      }
      return undefined;
    });
  }

  async function run(): Promise<void> {
    await send([ids.message("response.created", wire(undefined))]);
    let fault: ApiError | undefined;
    let end: Extract<AnswerEvent, { type: "end" }> | undefined;
    try {
      end = await read();
    } catch (error) {
      if (closed.aborted) throw error;
      const { reason } = controller.signal;
      if (cancelled === undefined) {
        fault = asApiError(reason ?? error);
        // A fault of the speech has been logged with its round.
        if (reason === undefined) logFault(log, fault, error);
      }
    }
    const isWhole = fault === undefined && cancelled === undefined;
    for (const call of calls) await call.finish(isWhole ? "completed" : "incomplete");
    // What the model has said before a fault is still spoken.
    fault = (await message?.end()) ?? fault;
    const result: ResponseEnd = { cancelled, fault, reason: end?.reason, usage: end?.usage };
    await message?.finish(fault === undefined && cancelled === undefined ? "completed" : "incomplete");
    await send([ids.message("response.done", wire(result))]);
    const status = fault?.status ?? 200;
    trace.finish({ userId: caller.userId, status, ok: fault === undefined, error: fault?.code });
  }

  const done = run()
    // The socket has closed.
    .catch(() => trace.finish({ userId: caller.userId, status: CLIENT_GONE, ok: false, error: "cut" }))
    .then(() => outputs > 0);
  return {
    id: responseId,
    done,
    get message() {
      return message;
    },
    get isCancelled() {
      return cancelled !== undefined;
    },
    cancel(reason) {
      if (cancelled !== undefined) return;
      cancelled = reason;
      // Words without audio cannot have been played.
      if (message?.playback !== undefined) message.item.playedSeconds = message.playback.total;
      message?.interrupt();
      controller.abort(new Interruption());
    },
  };
}
