import type { Socket } from "node:net";
import { type ApiError, apiError } from "@parlance/protocol";
import { takeTurn } from "@parlance/speech";
import { asApiError } from "../../http/errors.ts";
import { settlesWithin } from "../../http/timeouts.ts";
import type { Round } from "../fish/live/round.ts";
import { createEventDecoder, encodeEvent, type WyomingEvent } from "./events.ts";
import { describeServices, type InfoParts } from "./info.ts";
import { openRecording, type Recording, type RecordingParts } from "./recording.ts";
import { beginRequest, type RequestKind, type WyomingRequest } from "./request.ts";
import { createSocketReader } from "./socket-reader.ts";
import { checkText, openText, type SpeechParts, speakText } from "./speech.ts";

export interface ConnectionParts extends SpeechParts, RecordingParts, InfoParts {
  /** Without any event for this time, the connection is closed. */
  readonly idleMs: number;
  /** How long an event may take to arrive. */
  readonly receiveMs: number;
  readonly readerTimeoutMs: number;
}

export interface WyomingConnection {
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  /** Closes it as soon as nothing is running on it. */
  drain(): void;
}

const SYNTHESIZE: RequestKind = { operation: "live", route: "wyoming/synthesize" };
const TRANSCRIBE: RequestKind = { operation: "asr", route: "wyoming/transcribe" };
/** With more text queued, no further event is read until some of it was spoken. */
const MAX_PENDING_SIZE = 32 * 1024;
/** How long the client may take to read the last event. */
const CLOSE_MS = 1_000;

/** A text whose pieces arrive while it is being spoken. */
interface OpenStream {
  readonly round: Round;
  readonly spoken: Promise<void>;
}

/**
 * Handles the events of a connection in order. After an error the client is sent an `error` event and the connection is
 * closed: clients wait for the end of an answer, and do not all know that event.
 */
export function openConnection(socket: Socket, parts: ConnectionParts): WyomingConnection {
  const ended = new AbortController();
  const { signal } = ended;
  let stream: OpenStream | undefined;
  let recording: { readonly file: Recording; readonly request: WyomingRequest } | undefined;
  let transcribeOptions: Readonly<Record<string, unknown>> = {};
  let isBusy = false;
  let onTaken = (): void => {};
  signal.addEventListener("abort", () => onTaken(), { once: true });
  const reader = createSocketReader(socket);

  async function send(type: string, data: object = {}, payload?: Uint8Array): Promise<void> {
    const written = new Promise<void>((resolve) => {
      // A failure to write is followed by the end of the connection, which aborts the signal.
      socket.write(encodeEvent(type, data, payload), () => resolve());
    });
    if (!(await settlesWithin(written, signal, parts.readerTimeoutMs))) socket.destroy();
  }

  /** Runs a request to its end and reports it, however it ends. */
  async function run(request: WyomingRequest, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      request.finish();
    } catch (error) {
      throw request.finish(error);
    }
  }

  async function synthesize(data: WyomingEvent["data"]): Promise<void> {
    const request = beginRequest(parts, SYNTHESIZE, signal);
    await run(request, async () => {
      const round = openText(data.voice, parts.speech, () => {});
      round.input.push(checkText(data.text, parts));
      round.input.end();
      await speakText(round, request, parts, send);
    });
  }

  function startStream(data: WyomingEvent["data"]): void {
    if (stream !== undefined) throw apiError("unreadable_frame", { reason: "synthesize-stop is missing" });
    const request = beginRequest(parts, SYNTHESIZE, signal);
    const round = openText(data.voice, parts.speech, () => onTaken());
    const spoken = run(request, () => speakText(round, request, parts, send));
    // It may end while more text is awaited: with an error, or because of a shutdown.
    spoken.then(() => {
      if (parts.activeRequests.draining) void close();
    }, fail);
    stream = { round, spoken };
  }

  async function addToStream({ round }: OpenStream, data: WyomingEvent["data"]): Promise<void> {
    round.input.push(checkText(data.text, parts));
    while (round.input.size > MAX_PENDING_SIZE && !signal.aborted) {
      await new Promise<void>((resolve) => {
        onTaken = resolve;
      });
    }
  }

  async function finishStream({ round, spoken }: OpenStream): Promise<void> {
    round.input.end();
    await spoken;
    stream = undefined;
    await send("synthesize-stopped");
  }

  async function startRecording(event: WyomingEvent): Promise<void> {
    const request = beginRequest(parts, TRANSCRIBE, signal);
    try {
      recording = { request, file: await openRecording(event, transcribeOptions, request, parts) };
      // The connection may have ended meanwhile, and will not close the recording again.
      if (signal.aborted) await closeRecording(signal.reason);
    } catch (error) {
      throw request.finish(error);
    }
  }

  async function addToRecording(event: WyomingEvent): Promise<void> {
    if (recording === undefined) await startRecording(event);
    try {
      await recording?.file.write(event.payload);
    } catch (error) {
      await closeRecording(error);
      throw error;
    }
  }

  async function finishRecording(): Promise<void> {
    if (recording === undefined) return;
    const { file, request } = recording;
    await run(request, async () => {
      // The slot is free before the client has the transcript.
      const transcript = await file.finish().finally(() => closeRecording());
      await send("transcript", transcript);
    });
    transcribeOptions = {};
  }

  async function closeRecording(error?: unknown): Promise<void> {
    const open = recording;
    recording = undefined;
    await open?.file.close();
    if (error !== undefined) open?.request.finish(error);
  }

  async function handle(event: WyomingEvent): Promise<void> {
    const { type, data } = event;
    switch (type) {
      case "describe":
        return send("info", await describeServices(parts));
      case "ping":
        return send("pong", typeof data.text === "string" ? { text: data.text.slice(0, 200) } : {});
      case "synthesize":
        // Home Assistant sends the whole text again after its pieces, for servers that ignore those.
        return stream === undefined ? synthesize(data) : undefined;
      case "synthesize-start":
        return startStream(data);
      case "synthesize-chunk":
        return stream === undefined ? undefined : addToStream(stream, data);
      case "synthesize-stop":
        return stream === undefined ? undefined : finishStream(stream);
      case "transcribe":
        transcribeOptions = data;
        return;
      case "audio-start":
        await closeRecording(apiError("round_replaced", {}));
        return startRecording(event);
      case "audio-chunk":
        return addToRecording(event);
      case "audio-stop":
        return finishRecording();
    }
  }

  /** Nothing is being spoken, received or recognized. */
  function isIdle(): boolean {
    return !isBusy && stream === undefined && recording === undefined;
  }

  async function work(): Promise<void> {
    const decoder = createEventDecoder();
    let eventStartedAt = performance.now();
    for (;;) {
      if (parts.activeRequests.draining && isIdle()) return;
      const next = reader.next();
      const left = decoder.isEmpty ? parts.idleMs : eventStartedAt + parts.receiveMs - performance.now();
      if (!(await settlesWithin(next, signal, Math.max(0, left)))) {
        if (decoder.isEmpty) return;
        throw apiError("upload_too_slow", { reason: `an event took more than ${parts.receiveMs / 1000} s` });
      }
      const chunk = await next;
      if (chunk === undefined) return;
      if (decoder.isEmpty) eventStartedAt = performance.now();
      for (const event of decoder.push(chunk)) {
        // A chunk may hold thousands of small events.
        await takeTurn();
        if (signal.aborted) return;
        isBusy = true;
        await handle(event).finally(() => {
          isBusy = false;
        });
        eventStartedAt = performance.now();
      }
    }
  }

  function sendError(error: ApiError): void {
    socket.write(encodeEvent("error", { text: error.message, code: error.code }));
  }

  let closing: Promise<void> | undefined;
  function close(error?: ApiError): Promise<void> {
    closing ??= (async () => {
      if (error !== undefined && !socket.destroyed) sendError(error);
      socket.end();
      reader.discard();
      const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
      socket.once("close", () => clearTimeout(timer));
      const reason = new Error("the connection has ended");
      if (error === undefined) ended.abort(reason);
      await closeRecording(error ?? reason);
      ended.abort(reason);
      await stream?.spoken.catch(() => {});
    })();
    return closing;
  }

  function fail(error: unknown): void {
    void close(asApiError(error));
  }

  socket.on("error", () => socket.destroy());
  socket.once("close", () => ended.abort(new Error("the client has disconnected")));
  const worked = work().then(
    () => close(),
    (error: unknown) => (signal.aborted ? close() : close(asApiError(error))),
  );
  return {
    ended: worked,
    drain() {
      if (isIdle()) void close();
      // The text ends here, and the connection with the last of its audio.
      else stream?.round.input.end();
    },
  };
}
