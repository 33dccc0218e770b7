import { PLAIN, type SsmlDelivery } from "./delivery.ts";

/** A request for speech that says what an SSML document says. */
export interface SsmlSpeech {
  /** With the marks that a request may contain. */
  readonly text: string;
  /** By speaker index of the marks; "" is the voice of the request. Empty: that voice speaks all of it. */
  readonly voices: readonly string[];
  /** Set where they hold for the whole text. */
  readonly language?: string;
  readonly speed?: number;
  readonly volume?: number;
  /** Elements and attributes (`prosody@pitch`) without effect. */
  readonly ignored: readonly string[];
}

interface Piece {
  text: string;
  readonly delivery: SsmlDelivery;
}

/** Collects what is said, and writes it with marks where the delivery changes. */
export interface SpeechText {
  /** Text in which white space separates words only. */
  say(text: string, delivery: SsmlDelivery): void;
  /** A mark, as it is. */
  mark(mark: string, delivery: SsmlDelivery): void;
  pause(seconds: number, delivery: SsmlDelivery): void;
  endSentence(delivery: SsmlDelivery): void;
  endParagraph(): void;
  result(ignored: readonly string[]): SsmlSpeech;
}

const MAX_PAUSE_SECONDS = 10;
const STOPPED = /[.!?…。！？।:;,\]]["'”’)]*$/u;

export function createSpeechText(): SpeechText {
  const pieces: Piece[] = [];
  /** The end of what was written, to see whether a sentence is open. */
  let tail = "";
  let separator: "" | " " | "\n\n" = "";
  const write = (text: string, delivery: SsmlDelivery): void => {
    const whole = (tail === "" ? "" : separator) + text;
    const last = pieces.at(-1);
    if (last !== undefined && isSame(last.delivery, delivery)) last.text += whole;
    else pieces.push({ text: whole, delivery });
    separator = "";
    tail = (tail + text).slice(-8);
  };
  const space = (): void => {
    if (separator === "") separator = " ";
  };
  return {
    say(text, delivery) {
      const words = text.replace(/\s+/g, " ");
      if (words.startsWith(" ")) space();
      const bare = words.trim();
      if (bare === "") return;
      write(bare, delivery);
      if (words.endsWith(" ")) space();
    },
    mark: write,
    pause(seconds, delivery) {
      if (seconds <= 0) return;
      const paragraph = separator;
      write(pauseMark(Math.min(seconds, MAX_PAUSE_SECONDS)), delivery);
      separator = paragraph === "\n\n" ? "" : " ";
    },
    endSentence(delivery) {
      if (tail !== "" && separator !== "\n\n" && !STOPPED.test(tail)) {
        separator = "";
        write(".", delivery);
      }
      space();
    },
    endParagraph() {
      separator = "\n\n";
    },
    result: (ignored) => ({ ...withMarks(pieces), ignored }),
  };
}

function isSame(one: SsmlDelivery, other: SsmlDelivery): boolean {
  const { voice, language, speed, volume } = other;
  return one.voice === voice && one.language === language && one.speed === speed && one.volume === volume;
}

function pauseMark(seconds: number): string {
  if (seconds === 0.5) return "[break]";
  return seconds === 1.2 ? "[long-break]" : `[break ${Math.round(seconds * 1000)}ms]`;
}

function withMarks(pieces: readonly Piece[]): Omit<SsmlSpeech, "ignored"> {
  const names = [...new Set(pieces.map(({ delivery }) => delivery.voice ?? ""))];
  // The voice of the request is speaker 0 where it speaks at all.
  const voices = names.includes("") ? ["", ...names.filter((name) => name !== "")] : names;
  const language = common(pieces.map(({ delivery }) => delivery.language));
  const speed = common(pieces.map(({ delivery }) => delivery.speed));
  const volume = common(pieces.map(({ delivery }) => delivery.volume));
  let now: SsmlDelivery & { readonly speaker: number } = {
    ...PLAIN,
    language: language?.value,
    speed: speed?.value ?? 1,
    volume: volume?.value ?? 0,
    speaker: 0,
  };
  const written: string[] = [];
  for (const { text, delivery } of pieces) {
    const speaker = voices.indexOf(delivery.voice ?? "");
    const marks = [
      speaker === now.speaker ? "" : `<|speaker:${speaker}|>`,
      delivery.language === now.language ? "" : `<|language:${delivery.language ?? "auto"}|>`,
      delivery.speed === now.speed ? "" : `<|speed:${delivery.speed}|>`,
      delivery.volume === now.volume ? "" : `<|volume:${delivery.volume}|>`,
    ].join("");
    const lead = /^\s*/.exec(text)?.[0] ?? "";
    written.push(lead, marks, text.slice(lead.length));
    now = { ...delivery, speaker };
  }
  return {
    text: written.join(""),
    voices: voices.every((name) => name === "") ? [] : voices,
    ...(language?.value === undefined ? {} : { language: language.value }),
    ...(speed === undefined || speed.value === 1 ? {} : { speed: speed.value }),
    ...(volume === undefined || volume.value === 0 ? {} : { volume: volume.value }),
  };
}

/** The value that all have. */
function common<Value>(values: readonly Value[]): { readonly value: Value } | undefined {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? { value: first } : undefined;
}
