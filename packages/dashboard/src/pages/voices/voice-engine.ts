import { ENGINE_MODELS, SYSTEM_USER, type VoiceModel } from "@parlance/protocol";

/** The engine of a stock voice, which is among its tags. Other voices do not say; the default model speaks with them. */
export function engineOf({ author, tags }: Pick<VoiceModel, "author" | "tags">): string | undefined {
  return author._id === SYSTEM_USER ? ENGINE_MODELS.find((engine) => tags.includes(engine)) : undefined;
}
