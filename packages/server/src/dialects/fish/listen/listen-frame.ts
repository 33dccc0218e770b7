import type { ListenFinishFrame, ListenServerFrame } from "@parlance/protocol";
import type { ListeningEvent } from "@parlance/speech";

/** An event of recognition as it is sent. `parlance listen` prints the same where it has no server. */
export function toListenFrame(event: ListeningEvent): Exclude<ListenServerFrame, ListenFinishFrame> {
  switch (event.type) {
    case "speech-started":
      return { event: "speech_started", time: event.at };
    case "speech-stopped":
      return { event: "speech_stopped", time: event.at };
    case "flushed":
      return { event: "flushed", time: event.at };
    case "partial":
      return { event: "partial", stable: event.stable, ...textOf(event) };
    case "final":
      return { event: "segment", ends_turn: event.endsTurn, ...textOf(event) };
  }
}

function textOf({ segment, text, words, start, end, language }: Extract<ListeningEvent, { readonly text: string }>) {
  const plain = words.map((word) => ({ text: word.text, start: word.start, end: word.end }));
  return { segment, text, words: plain, start, end, language_code: language };
}
