import { createHash } from "node:crypto";
import { takeTurn } from "@parlance/speech";
import type { ProjectContent, ProjectSettings, StoredParagraph } from "../../stores/projects.ts";

/** How many paragraphs are hashed in one turn of the event loop: a few milliseconds. The longest text takes 0.3 s. */
const IN_ONE_TURN = 50;

export interface HashedParagraph extends StoredParagraph {
  readonly hash: string;
}

export interface HashedChapter {
  readonly title: string;
  readonly paragraphs: readonly HashedParagraph[];
}

/** What the audio of a paragraph is made from. */
export interface ParagraphSpeech {
  readonly text: string;
  readonly voice: string;
  readonly language: string | null;
  readonly speed: number;
  readonly pronunciations: Readonly<Record<string, string>>;
}

export function paragraphSpeech({ text, voice, speaker }: StoredParagraph, settings: ProjectSettings): ParagraphSpeech {
  const ofSpeaker = Object.hasOwn(settings.speakers, speaker) ? settings.speakers[speaker] : undefined;
  const lower = text.toLowerCase();
  // Only the words that it has: a new word in the list changes no other paragraph.
  const used = Object.entries(settings.pronunciations).filter(([word]) => lower.includes(word.toLowerCase()));
  return {
    text,
    voice: voice || ofSpeaker || settings.voice,
    language: settings.language,
    speed: settings.speed,
    pronunciations: Object.fromEntries(used.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The name of the audio. Another take is other audio of the same text. */
function paragraphHash(paragraph: StoredParagraph, settings: ProjectSettings): string {
  const made = JSON.stringify([paragraphSpeech(paragraph, settings), paragraph.take]);
  return createHash("sha256").update(made).digest("hex").slice(0, 32);
}

/** The chapters with the names of their audio. */
export async function hashChapters({ chapters, settings }: ProjectContent): Promise<readonly HashedChapter[]> {
  const hashed: HashedChapter[] = [];
  let count = 0;
  for (const { title, paragraphs } of chapters) {
    const named: HashedParagraph[] = [];
    for (const paragraph of paragraphs) {
      count += 1;
      if (count % IN_ONE_TURN === 0) await takeTurn();
      named.push({ ...paragraph, hash: paragraphHash(paragraph, settings) });
    }
    hashed.push({ title, paragraphs: named });
  }
  return hashed;
}
