import { type ApiError, apiError, type ListenRequest } from "@parlance/protocol";
import type { ListeningEvent } from "@parlance/speech";
import { createRoundRate } from "../../fish/live/round-rate.ts";
import type { SessionOptions, SessionParts } from "../../fish/live/session-parts.ts";
import type { SessionSlot } from "../../fish/live/session-slot.ts";
import { type ListenStream, openStream } from "../../listening/stream.ts";
import { createInputBuffer } from "../live/input-buffer.ts";
import { bytesPerSecond } from "../live/session-settings.ts";
import { openai } from "../openai.ts";

export interface InputAudioOptions {
  readonly parts: SessionParts;
  readonly options: SessionOptions;
  /** Of the conversation; it is not released with a stream. */
  readonly slot: SessionSlot;
  readonly closed: AbortSignal;
  /** The current settings of the session. */
  readonly read: () => ListenRequest;
  /** Times are those of all audio of the session. */
  readonly onEvent: (event: ListeningEvent) => Promise<void>;
  readonly onFault: (fault: ApiError) => void;
}

/** The audio of a client. A stream cannot change how it listens, so other settings begin another stream. */
export interface InputAudio {
  push(audio: Uint8Array): void;
  /** Ends the turn here. False: there is too little audio for one. */
  flush(): boolean;
  /** The session has changed. True: what the client has said and not finished is dropped. */
  update(): boolean;
  readonly isOpen: boolean;
  readonly isFull: boolean;
  /** Resolves when every turn that was ended by `flush` was reported. */
  flushed(): Promise<void>;
}

export function createInputAudio(audio: InputAudioOptions): InputAudio {
  const { parts, options, slot, closed, read } = audio;
  let current: { readonly stream: ListenStream; readonly request: string } | undefined;
  let offset = 0;
  let waiting = 0;
  let waiters: (() => void)[] = [];
  const rate = createRoundRate();
  const buffer = createInputBuffer(() => bytesPerSecond(read()));

  function settle(left: number): void {
    waiting = left;
    if (waiting > 0) return;
    for (const resolve of waiters) resolve();
    waiters = [];
  }

  function open(): ListenStream {
    if (current !== undefined) return current.stream;
    const request = read();
    const from = offset;
    const stream = openStream(parts, options, {
      dialect: openai.name,
      request,
      slot,
      closed,
      async onEvent(event) {
        if (current?.stream !== stream) return;
        await audio.onEvent(shifted(event, from));
        if (event.type === "flushed" && current?.stream === stream) settle(waiting - 1);
      },
    });
    current = { stream, request: JSON.stringify(request) };
    void stream.done.then((fault) => {
      if (fault !== undefined && !closed.aborted) audio.onFault(fault);
    });
    return stream;
  }

  return {
    push(bytes) {
      buffer.add(bytes.length);
      open().push(bytes);
    },
    flush() {
      if (!buffer.take()) return false;
      waiting += 1;
      open().flush();
      return true;
    },
    update() {
      if (current === undefined || current.request === JSON.stringify(read())) return false;
      const { stream } = current;
      current = undefined;
      offset += stream.seconds;
      stream.end();
      settle(0);
      // Each stream costs a few queries, and a place among the streams of all accounts until it has ended.
      if (!rate.ended(false)) audio.onFault(apiError("too_many_rounds", {}));
      return true;
    },
    get isOpen() {
      return current !== undefined;
    },
    get isFull() {
      return current?.stream.isFull === true;
    },
    flushed: () => (waiting === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
  };
}

function shifted(event: ListeningEvent, by: number): ListeningEvent {
  if (by === 0) return event;
  return "at" in event ? { ...event, at: event.at + by } : { ...event, start: event.start + by, end: event.end + by };
}
