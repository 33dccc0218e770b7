import { DEFAULT_ASR_MODEL } from "@parlance/protocol";
import type { ListeningEvent, LiveText } from "@parlance/speech";
import { toWord } from "../results.ts";

/** What a client of this dialect has requested besides final results. */
export interface ResultOptions {
  readonly interim: boolean;
  readonly speechStarted: boolean;
  readonly utteranceEnd: boolean;
}

const MODEL = { name: DEFAULT_ASR_MODEL, version: "1", arch: "parlance" };

/** The events of a stream as messages of this dialect. */
export function createLiveResults(requestId: string, { interim, speechStarted, utteranceEnd }: ResultOptions) {
  const metadata = { request_id: requestId, model_info: MODEL, model_uuid: DEFAULT_ASR_MODEL };
  let lastWordEnd = 0;

  function result(text: Partial<LiveText>, flags: Readonly<Record<string, boolean>>): object {
    const { start = lastWordEnd, end = start, words = [] } = text;
    const alternative = {
      transcript: text.text ?? "",
      confidence: words.length === 0 ? 0 : 1,
      words: words.map(toWord),
    };
    const all = { is_final: true, speech_final: false, from_finalize: false, ...flags };
    const duration = Math.round((end - start) * 1000) / 1000;
    return {
      type: "Results",
      channel_index: [0, 1],
      start,
      duration,
      ...all,
      channel: { alternatives: [alternative] },
      metadata,
    };
  }

  return {
    messages(event: ListeningEvent): readonly object[] {
      switch (event.type) {
        case "speech-started":
          return speechStarted ? [{ type: "SpeechStarted", channel: [0, 1], timestamp: event.at }] : [];
        case "partial":
          return interim ? [result(event, { is_final: false })] : [];
        case "final": {
          lastWordEnd = event.end;
          const end = { type: "UtteranceEnd", channel: [0, 1], last_word_end: lastWordEnd };
          const message = result(event, { speech_final: event.endsTurn });
          return event.endsTurn && utteranceEnd ? [message, end] : [message];
        }
        case "flushed":
          return [result({}, { from_finalize: true })];
        case "speech-stopped":
          return [];
      }
    },
    metadata(duration: number): readonly object[] {
      const created = new Date().toISOString();
      return [
        {
          type: "Metadata",
          transaction_key: "deprecated",
          request_id: requestId,
          sha256: "",
          created,
          duration,
          channels: 1,
        },
      ];
    },
  };
}
