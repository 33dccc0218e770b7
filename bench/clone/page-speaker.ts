import { relative } from "node:path";
import { cosine } from "../../packages/speech/src/voices/clone/xvector/vectors.ts";
import { round } from "../statistics.ts";
import { type Made, percent, secondOf } from "./figures.ts";
import type { SpokenVoice } from "./measure-voice.ts";
import type { PageClip, PageSpeaker } from "./page.ts";
import { describeRefinement } from "./refine-speaker.ts";
import { spokenSentences } from "./spoken-sentences.ts";

const NAMES = new Intl.DisplayNames("en", { type: "language" });

/** The clips of a speaker in a page that lies in the given folder; where voices are refined, in a row for each language. */
export function pageSpeaker(made: Made, folder: string): PageSpeaker {
  const link = (file: string) => relative(folder, file);
  const clipOf = (title: string, language: string, clone: SpokenVoice): PageClip => {
    const figures = [
      `x-vector ${round(cosine(clone.vector, made.held.vector), 2)}`,
      `evaluation network ${round(secondOf(clone, made.held), 2)}`,
      `misheard ${percent(clone.misheard)} %`,
    ];
    return {
      title: `${title}, ${NAMES.of(language) ?? language}`,
      file: link(clone.files[0] ?? ""),
      text: spokenSentences(language, 1)[0] ?? "",
      figures: figures.join(" · "),
    };
  };
  const { refined } = made;
  const refinedTitle = refined?.refinement.voice ? "refined clone" : "refined clone (not kept)";
  const original = { title: "original", file: link(made.original), text: "", figures: "" };
  const languages = [...made.clones].map(([language, clone]) => {
    const after = refined?.clones.get(language);
    return [clipOf("clone", language, clone), ...(after ? [clipOf(refinedTitle, language, after)] : [])];
  });
  return {
    name: made.speaker,
    note: refined ? `Refinement: ${describeRefinement(refined.refinement)}.` : "",
    rows: refined ? languages.map((clips) => [original, ...clips]) : [[original, ...languages.flat()]],
  };
}
