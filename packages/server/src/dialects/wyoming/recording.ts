import { apiError, checkAsrRequest, DEFAULT_ASR_MODEL, LIMITS, type PcmFormat, wavHeader } from "@parlance/protocol";
import type { Metering } from "../../services/billing/metering.ts";
import { transcribeCharged } from "../../services/speech/charged-transcription.ts";
import type { TranscriptionService } from "../../services/speech/transcription.ts";
import type { UploadFile, UploadFolder } from "../../services/uploads/upload-folder.ts";
import type { WyomingEvent } from "./events.ts";
import type { RequestParts, WyomingRequest } from "./request.ts";

export interface RecordingParts extends RequestParts {
  readonly transcription: TranscriptionService;
  readonly metering: Metering;
  readonly uploads: UploadFolder;
}

/** A recording that is being received, from `audio-start` to `audio-stop`. */
export interface Recording {
  write(pcm: Uint8Array): Promise<void>;
  /** Transcribes what was received. */
  finish(): Promise<{ readonly text: string; readonly language: string | null }>;
  /** Deletes the recording and frees its slot. */
  close(): Promise<void>;
}

/** `options` are those of the last `transcribe`. */
export async function openRecording(
  { data }: WyomingEvent,
  options: Readonly<Record<string, unknown>>,
  request: WyomingRequest,
  parts: RecordingParts,
): Promise<Recording> {
  const format = checkFormat(data);
  const rules = parts.transcription.rules();
  const language = typeof options.language === "string" && options.language !== "" ? options.language : undefined;
  const model = rules.models.find((each) => each === options.name) ?? DEFAULT_ASR_MODEL;
  const asrRequest = checkAsrRequest(model, { language, ignore_timestamps: true }, rules);
  const caller = await request.admit();
  const slot = await request.acquireSlot(caller);
  const removeActive = parts.activeRequests.add(request.controller);
  let file: UploadFile | undefined;
  const close = async (): Promise<void> => {
    removeActive();
    await Promise.all([file?.remove(), slot.release()]);
  };
  const bytesPerSecond = format.rate * format.width * format.channels;
  let received = 0;
  const write = async (bytes: Uint8Array): Promise<UploadFile> => {
    file ??= await parts.uploads.create();
    await file.write(bytes);
    return file;
  };

  return {
    async write(pcm) {
      // Otherwise each empty event would add another header.
      if (pcm.length === 0) return;
      received += pcm.length;
      if (received > LIMITS.asrFileBytes) throw apiError("audio_too_large", { limit: LIMITS.asrFileBytes });
      const seconds = received / bytesPerSecond;
      const { max } = LIMITS.asrSeconds;
      if (seconds > max) throw apiError("audio_too_long", { length: `more than ${max} s`, limit: max });
      if (received === pcm.length) await write(wavHeader(format));
      await write(pcm);
    },
    async finish() {
      if (received === 0) return { text: "", language: null };
      // A voice assistant sends single words. The recognizer takes a second or more.
      const missing = Math.ceil(LIMITS.asrSeconds.min * bytesPerSecond) - received;
      const { path, finish } = await write(new Uint8Array(Math.max(0, missing)));
      await finish();
      const { traceId, trace, facts } = request;
      const work = { path, payer: caller, traceId, trace, facts, signal: request.controller.signal };
      const result = await transcribeCharged(asrRequest, work, parts);
      return { text: result.text, language: result.language_code };
    },
    close,
  };
}

function checkFormat({ rate, width, channels }: Readonly<Record<string, unknown>>): PcmFormat {
  return {
    rate: inRange("rate", rate, 8000, 48_000),
    width: inRange("width", width, 2, 4),
    channels: inRange("channels", channels, 1, 2),
  };
}

function inRange(field: string, value: unknown, min: number, max: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  const allowed = `it must be an integer from ${min} to ${max}`;
  throw apiError("invalid_value", { field, value: typeof value === "number" ? value : "not a number", allowed });
}
