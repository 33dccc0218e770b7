import type { VoiceModel } from "@parlance/protocol";

const NOT_REFINED = "The voice was not refined: there is too little speech, or the refinement is off.";
const SCALE = "Different recordings of one person have about 0.8.";

/** How far the refinement of a voice is, in words. Undefined where there is none. */
export function refinementText({
  refinement,
  refinement_error: error,
  refinement_similarity: similarity,
}: Pick<VoiceModel, "refinement" | "refinement_error" | "refinement_similarity">): string | undefined {
  switch (refinement) {
    case "none":
      return undefined;
    case "waiting":
      return "The voice can speak now. It waits for background work, which sets its pace and makes it more similar to the speaker.";
    case "running":
      return "The voice can speak now. The server works on it in the background, which takes some minutes.";
    case "failed":
      return `${error || "The background work on this voice has failed"}. The voice stays as it is.`;
    case "done":
      return similarity === null ? NOT_REFINED : similarityText(similarity);
  }
}

function similarityText({ before, after }: NonNullable<VoiceModel["refinement_similarity"]>): string {
  const figure = (value: number): string => value.toFixed(3);
  if (after <= before)
    return `The voice stays as it was made: the refinement did not make it more similar to the speaker. Its similarity is ${figure(before)}. ${SCALE}`;
  return `The voice is refined. Its similarity to the speaker was ${figure(before)} and is ${figure(after)} now. ${SCALE}`;
}
