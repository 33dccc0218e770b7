import type { VoiceModel } from "@parlance/protocol";

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
      return "The voice can speak now. It waits to be refined in the background.";
    case "running":
      return "The voice can speak now. It is being refined in the background, which takes some minutes.";
    case "failed":
      return `${error || "The background work on this voice has failed"}. The voice stays as it is.`;
    case "done":
      return similarity === null ? "The background work on this voice has ended." : similarityText(similarity);
  }
}

function similarityText({ before, after }: NonNullable<VoiceModel["refinement_similarity"]>): string {
  const figure = (value: number): string => value.toFixed(3);
  if (after <= before)
    return `The voice stays as it was made: refining it did not bring it closer to the speaker. Its similarity is ${figure(before)} of 1.`;
  return `The voice is refined. Its similarity to the speaker was ${figure(before)} of 1, and is ${figure(after)} now.`;
}
