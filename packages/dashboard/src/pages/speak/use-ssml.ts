import { looksLikeSsml } from "@parlance/protocol";
import type { SsmlSpeech } from "@parlance/protocol/ssml";
import { useState } from "react";
import { useAction } from "../../lib/use-action.ts";
import { namedVoice } from "../voices/named-voice.ts";
import { useVoices } from "../voices/use-voices.ts";

/** Converts SSML that was typed or pasted. `apply` takes the result, with the ids of its voices. */
export function useSsml(text: string, apply: (speech: SsmlSpeech) => void) {
  const voices = useVoices();
  const [ignored, setIgnored] = useState<readonly string[]>([]);
  const conversion = useAction(async (signal) => {
    // The parser is not needed by other texts.
    const { readSsml } = await import("@parlance/protocol/ssml");
    const speech = readSsml(text);
    if (signal.aborted) return;
    const found = speech.voices.map((name) => [name, namedVoice(voices.data ?? [], name)?._id] as const);
    const unknown = found.filter(([name, id]) => name !== "" && id === undefined).map(([name]) => `voice ${name}`);
    setIgnored([...speech.ignored, ...unknown]);
    apply({ ...speech, voices: found.map(([, id]) => id ?? "") });
  });
  return {
    isSsml: looksLikeSsml(text),
    convert: conversion.run,
    error: conversion.error,
    /** What the last document had that has no effect. */
    ignored,
    dismiss: () => setIgnored([]),
  };
}
