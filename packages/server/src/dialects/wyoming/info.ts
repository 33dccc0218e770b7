import type { Speech, Transcription } from "@parlance/speech";
import type { Caller } from "../../services/identity/keys.ts";
import type { Voices } from "../../services/voices/voices.ts";

export interface InfoParts {
  readonly speech: Speech;
  readonly recognizers: Pick<Transcription, "engines" | "languages">;
  readonly voices: Pick<Voices, "list">;
  readonly findCaller: () => Promise<Caller>;
  readonly version: string;
}

/** Cloned voices of the account that `info` lists. */
const MAX_OWN_VOICES = 100;
const ANY = { title: undefined, tags: [], languages: [], authorId: undefined };
const ATTRIBUTION = { name: "Parlance", url: "https://www.npmjs.com/package/@parlance/server" };

/** The answer to `describe`: what can be spoken and recognized now. */
export async function describeServices(parts: InfoParts): Promise<object> {
  const { speech, recognizers, version } = parts;
  const common = { attribution: ATTRIBUTION, installed: true, version };
  const stock = speech
    .voices()
    .map(({ slug, title, language }) => ({ ...common, name: slug, description: title, languages: [language] }));
  const voices = [...stock, ...(await ownVoices(parts)).map((voice) => ({ ...common, ...voice }))];
  const engines = recognizers.engines();
  return {
    tts:
      voices.length === 0
        ? []
        : [
            {
              ...common,
              name: "parlance",
              description: "Text to speech",
              supports_synthesize_streaming: true,
              voices: voices.map((voice) => ({ ...voice, speakers: null })),
            },
          ],
    asr:
      engines.length === 0
        ? []
        : [
            {
              ...common,
              name: "parlance",
              description: "Speech to text",
              supports_transcript_streaming: false,
              models: [
                {
                  ...common,
                  name: "transcribe-1",
                  description: engines.join(", "),
                  languages: [...recognizers.languages()],
                },
              ],
            },
          ],
    handle: [],
    intent: [],
    wake: [],
    mic: [],
    snd: [],
  };
}

/** Without a usable account there are the stock voices: a client may ask before the account exists. */
async function ownVoices({ voices, findCaller }: InfoParts) {
  const caller = await findCaller().catch(() => undefined);
  if (caller === undefined) return [];
  const page = { pageNumber: 1, pageSize: MAX_OWN_VOICES, order: "created_at" as const };
  const { views } = await voices.list(caller, { ...page, ...ANY, self: true });
  return views
    .filter(({ voice }) => voice.state === "trained")
    .map(({ voice }) => ({ name: voice.id, description: voice.title, languages: [...voice.languages] }));
}
