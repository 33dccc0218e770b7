import { apiError, countCharacters, DEFAULT_MODEL, parseTtsRequest } from "@parlance/protocol";
import type { Speech } from "@parlance/speech";
import { newId } from "../../lib/ids.ts";
import type { ParagraphAudio } from "../../stores/project-audio.ts";
import type { Records, Store } from "../../stores/store.ts";
import type { Metering } from "../billing/metering.ts";
import { createSpeechRecording } from "../history/speech-recording.ts";
import type { Limits } from "../limits/limits.ts";
import type { Synthesis } from "../speech/synthesis.ts";
import type { Usage } from "../usage/usage.ts";
import type { ParagraphSpeech } from "./paragraph-hash.ts";

export interface SpeakParagraphParts {
  readonly store: Store;
  readonly speech: Speech;
  readonly synthesis: Synthesis;
  readonly metering: Metering;
  readonly limits: Limits;
  readonly usage: Pick<Usage, "record">;
}

/** The rate of the audio that is kept: that of Opus. */
const SAMPLE_RATE = 48_000;

/** Stores the audio in the transaction that charges for it. False: it does not count, and nothing is charged. */
export type StoreAudio = (records: Records, audio: Omit<ParagraphAudio, "hash">) => Promise<boolean>;

/**
 * Speaks a paragraph for an account, within its limits and for its price, like a request of its own. Throws what such a
 * request is refused with.
 */
export async function speakParagraph(
  parts: SpeakParagraphParts,
  userId: string,
  paragraph: ParagraphSpeech,
  storeAudio: StoreAudio,
  signal: AbortSignal,
): Promise<void> {
  const { store, speech, synthesis, metering, limits, usage } = parts;
  const account = await store.users.find(userId);
  if (account === undefined || account.disabledAt !== null) throw apiError("account_disabled", {});
  const { text, voice, language, speed, pronunciations } = paragraph;
  const request = parseTtsRequest(
    DEFAULT_MODEL,
    {
      ...{ text, pronunciations, prosody: { speed }, reference_id: voice, language },
      ...{ format: "pcm", sample_rate: SAMPLE_RATE, latency: "normal" },
    },
    synthesis.rules(),
  );
  const slot = await limits.acquire({ userId, plan: account.plan }, signal);
  try {
    const spoken = await synthesis.prepare(request, { userId }, signal);
    await speech.waitForCapacity(spoken, text, signal);
    const work = { traceId: newId(), operation: "tts", credits: metering.priceOfText(text) };
    const charge = await metering.reserve({ userId }, work);
    try {
      const audio = await record(speech.speak(spoken, signal), request);
      signal.throwIfAborted();
      if (!(await charge.settleWith((records) => storeAudio(records, audio)))) return;
      const seconds = audio.durationMs / 1000;
      const characters = countCharacters(text);
      usage.record({ userId, operation: "tts", status: 200, characters, audioSeconds: seconds, credits: work.credits });
    } catch (error) {
      await charge.refund();
      throw error;
    }
  } finally {
    await slot.release();
  }
}

async function record(
  parts: ReturnType<Speech["speak"]>,
  request: ReturnType<typeof parseTtsRequest>,
): Promise<Omit<ParagraphAudio, "hash">> {
  let made: Omit<ParagraphAudio, "hash"> | undefined;
  let fault: unknown;
  const recording = createSpeechRecording(
    newId(),
    request,
    async ({ words, seconds, audio }) => {
      if (audio !== undefined) made = { words, durationMs: Math.round(seconds * 1000), bytes: audio.bytes };
    },
    (error) => {
      fault = error;
    },
  );
  try {
    for await (const part of parts) recording.add(part);
  } finally {
    await recording.finish(true);
  }
  if (made === undefined) throw fault ?? new Error("the paragraph gave no audio");
  return made;
}
