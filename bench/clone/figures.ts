import { cosine } from "../../packages/speech/src/voices/clone/xvector/vectors.ts";
import { correlation } from "../kokoro/pitch.ts";
import { meanOf, round } from "../statistics.ts";
import type { Misheard, SpeakerMeasurement, SpokenVoice } from "./measure-voice.ts";
import type { Refinement } from "./refine-speaker.ts";

/** What a voice speaks, by language. */
export type SpokenLanguages = ReadonlyMap<string, SpokenVoice>;

export interface Made {
  readonly speaker: string;
  readonly original: string;
  readonly reference: SpeakerMeasurement;
  readonly held: SpeakerMeasurement;
  readonly seconds: number;
  /** By the voice that can be used at once. */
  readonly clones: SpokenLanguages;
  /** By the refined voice, if voices are refined. Where the refinement was not kept, these are the same. */
  readonly refined: { readonly refinement: Refinement; readonly clones: SpokenLanguages } | undefined;
  /** By the stock voice that gives the prosody. */
  readonly stock: SpokenLanguages;
}

/** By the evaluation network. */
export const secondOf = (a: SpeakerMeasurement, b: SpeakerMeasurement): number => round(cosine(a.second, b.second), 3);
export const percent = (misheard: Misheard | undefined): number | undefined =>
  misheard && round((100 * misheard.errors) / Math.max(1, misheard.total), 1);

/** 1 where no other speaker's recordings are more similar to a voice than those of its own speaker. */
function rankOf(voice: SpeakerMeasurement, made: Made, all: readonly Made[], by: "vector" | "second"): number {
  const own = cosine(voice[by], made.held[by]);
  return 1 + all.filter(({ held }) => cosine(voice[by], held[by]) > own).length;
}

/** A row for each speaker and language; where voices are refined, the row of the refined voice follows. */
export function rowsOf(some: readonly Made[], all: readonly Made[]) {
  return some.flatMap((made) =>
    [...made.clones].flatMap(([language, clone]) => {
      const { refined } = made;
      const after = refined?.clones.get(language);
      if (!refined || !after) return [rowOf(made, all, language, clone, {})];
      const { voice, cpuSeconds } = refined.refinement;
      return [
        rowOf(made, all, language, clone, { voice: "at once" }),
        rowOf(made, all, language, after, {
          voice: "refined",
          kept: voice === undefined ? "no" : "yes",
          "CPU seconds": round(cpuSeconds),
        }),
      ];
    }),
  );
}

/** Which of the two voices of a speaker a row is about, if voices are refined. */
interface RowVoice {
  readonly voice?: "at once" | "refined";
  readonly kept?: "yes" | "no";
  readonly "CPU seconds"?: number;
}

function rowOf(made: Made, all: readonly Made[], language: string, clone: SpokenVoice, voice: RowVoice) {
  const stock = made.stock.get(language);
  return {
    speaker: made.speaker,
    language,
    ...voice,
    cosine: round(cosine(clone.vector, made.held.vector), 3),
    second: secondOf(clone, made.held),
    rank: rankOf(clone, made, all, "vector"),
    "rank, second": rankOf(clone, made, all, "second"),
    "real to real": round(cosine(made.reference.vector, made.held.vector), 3),
    "real rank": rankOf(made.reference, made, all, "vector"),
    "real, second": secondOf(made.reference, made.held),
    "real rank, second": rankOf(made.reference, made, all, "second"),
    stock: stock && round(cosine(stock.vector, made.held.vector), 3),
    "misheard %": percent(clone.misheard) ?? 0,
    "of stock %": percent(stock?.misheard) ?? 0,
    "by second %": percent(clone.misheardBySecond),
    "of stock, by second %": percent(stock?.misheardBySecond),
    octaves: round(Math.log2((clone.pitch ?? 1) / (made.held.pitch ?? 1)), 2),
    range: round(clone.pitchRange ?? 0, 2),
    "range of speaker": round(made.held.pitchRange ?? 0, 2),
    seconds: round(made.seconds, 1),
  };
}

type Row = ReturnType<typeof rowOf>;

/** A row for each language; where voices are refined, one for the voices at once and one for the refined voices. */
export function summaryOf(languages: readonly string[], rows: readonly Row[]) {
  const voices = rows.some(({ voice }) => voice === "refined") ? (["at once", "refined"] as const) : [undefined];
  return languages.flatMap((language) =>
    voices.map((voice) =>
      summaryRow(
        language,
        rows.filter((row) => row.language === language && row.voice === voice),
        voice,
      ),
    ),
  );
}

function summaryRow(language: string, own: readonly Row[], voice: RowVoice["voice"]) {
  const mean = (values: readonly number[]): number => round(meanOf(values), 3);
  const bySecond = own.flatMap((row) => row["by second %"] ?? []);
  const ofStockBySecond = own.flatMap((row) => row["of stock, by second %"] ?? []);
  const errors = mean(own.map((row) => row["misheard %"]));
  const ofStock = mean(own.map((row) => row["of stock %"]));
  return {
    language,
    ...(voice && { voice }),
    speakers: own.length,
    "mean cosine": mean(own.map((row) => row.cosine)),
    lowest: Math.min(...own.map((row) => row.cosine)),
    "mean, second": mean(own.map((row) => row.second)),
    "rank 1": own.filter((row) => row.rank === 1).length,
    "rank 1, second": own.filter((row) => row["rank, second"] === 1).length,
    "real rank 1": own.filter((row) => row["real rank"] === 1).length,
    "real rank 1, second": own.filter((row) => row["real rank, second"] === 1).length,
    "misheard %": errors,
    most: Math.max(...own.map((row) => row["misheard %"])),
    "of stock %": ofStock,
    "points above stock": round(errors - ofStock, 1),
    ...(own.length < 3
      ? {}
      : {
          "correlation of ranges": round(correlation(own.map((row) => [row.range, row["range of speaker"]])), 2),
        }),
    ...(bySecond.length === 0 ? {} : { "by second %": mean(bySecond), "of stock, by second %": mean(ofStockBySecond) }),
    ...(voice === "refined"
      ? {
          kept: own.filter((row) => row.kept === "yes").length,
          "mean CPU seconds": round(meanOf(own.map((row) => row["CPU seconds"] ?? 0))),
        }
      : {}),
  };
}
