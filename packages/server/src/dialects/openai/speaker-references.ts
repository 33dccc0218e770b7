import { readFile, writeFile } from "node:fs/promises";
import { countCharacters, LIMITS } from "@parlance/protocol";
import type { Upload } from "../../http/uploads/upload-rules.ts";
import type { RecordingRequest } from "../../services/speech/transcription.ts";
import type { TranscriptOptions } from "./transcript-fields.ts";
import { invalid } from "./values.ts";

export const REFERENCES_FIELD = "known_speaker_references";
const NAMES_FIELD = "known_speaker_names";
const MAX_NAME_CHARACTERS = 64;
const DATA_URL = /^data:[^,]{0,200};base64,/i;

/** The recording with the people whose recordings came with it. Their files become audio in place of data URLs. */
export async function withReferences(
  { recording, knownSpeakers: names }: TranscriptOptions,
  upload: Upload,
): Promise<RecordingRequest> {
  const references = upload.files[REFERENCES_FIELD] ?? [];
  if (recording.speakers === undefined) return recording;
  if (names.length !== references.length) {
    const allowed = `there must be as many as in ${REFERENCES_FIELD}, at most ${LIMITS.asrReferences.count}`;
    throw invalid(NAMES_FIELD, `${names.length} entries`, allowed);
  }
  const wrong = names.find((name) => name.trim() === "" || countCharacters(name) > MAX_NAME_CHARACTERS);
  if (wrong !== undefined || new Set(names).size < names.length) {
    throw invalid(
      NAMES_FIELD,
      wrong ?? "a name twice",
      `each must be different, of 1 to ${MAX_NAME_CHARACTERS} characters`,
    );
  }
  const known = [];
  for (const [index, { path }] of references.entries()) {
    await decodeDataUrl(path);
    known.push({ name: names[index] ?? "", voice: path });
  }
  return { ...recording, speakers: { ...recording.speakers, known } };
}

/** Replaces a file that holds a data URL by its content. Other files are audio already. */
async function decodeDataUrl(path: string): Promise<void> {
  const content = (await readFile(path)).toString("latin1");
  const start = DATA_URL.exec(content.slice(0, 300))?.[0];
  if (start !== undefined) await writeFile(path, Buffer.from(content.slice(start.length), "base64"));
}
