import { type RecognizerName, recognizerDescriptor, recognizerDescriptors } from "../engines/registry.ts";
import { SpeechError } from "../errors.ts";

/** Which recognizer transcribes a recording, and in which language. */
export interface Assignment {
  readonly engine: RecognizerName;
  readonly language: string;
}

/** Undefined: the language has to be detected first. */
export type Assign = (language: string | undefined) => Assignment | undefined;

/** Assigns the preferred installed recognizer that knows the language, unless the caller has requested one. */
export function createAssign(installed: readonly RecognizerName[], requested: RecognizerName | undefined): Assign {
  return (language) => {
    if (language === undefined) {
      // Nothing has to be detected where only one language can be recognized.
      const engine = requested ?? (installed.length === 1 ? installed[0] : undefined);
      const languages = engine === undefined ? [] : recognizerDescriptor(engine).languages;
      const [only] = languages;
      return engine !== undefined && only !== undefined && languages.length === 1
        ? { engine, language: only }
        : undefined;
    }
    const engine = requested ?? preferredFor(language, installed);
    if (!installed.includes(engine)) throw new SpeechError("failed", `the model of ${engine} is not installed`);
    if (!recognizerDescriptor(engine).languages.includes(language)) {
      throw new SpeechError("failed", `${engine} does not know the language "${language}"`);
    }
    return { engine, language };
  };
}

/** An installed recognizer for the language; otherwise any for it; otherwise the one with the most languages. */
function preferredFor(language: string, installed: readonly RecognizerName[]): RecognizerName {
  const suitable = recognizerDescriptors.filter(({ languages }) => languages.includes(language));
  const found = suitable.find(({ name }) => installed.includes(name)) ?? suitable[0];
  if (found) return found.name;
  return recognizerDescriptors.reduce((most, other) => (other.languages.length > most.languages.length ? other : most))
    .name;
}
