import type { VoiceModel } from "@parlance/protocol";
import type { VoiceView } from "../../../services/voices/voices.ts";

/** What callers see of a voice: every field by name, so that nothing new gets out by itself. `base` is this server's address. */
export function toModel({ voice, liked, author }: VoiceView, base: string): VoiceModel {
  const own = `${base}/model/${voice.id}`;
  return {
    _id: voice.id,
    type: "tts",
    title: voice.title,
    description: voice.description,
    cover_image: voice.cover === "" ? "" : `${own}/cover?v=${voice.cover}`,
    train_mode: "fast",
    state: voice.state,
    refinement: voice.refinement ?? "none",
    refinement_error: voice.refinementError ?? "",
    refinement_similarity: voice.refinementSimilarity ?? null,
    tags: [...voice.tags],
    samples: [
      {
        title: voice.title,
        text: voice.defaultText,
        task_id: `${voice.id}-${voice.version}`,
        audio: `${own}/sample.mp3?v=${voice.version}`,
      },
    ],
    created_at: voice.createdAt,
    updated_at: voice.updatedAt,
    languages: [...voice.languages],
    visibility: voice.visibility,
    lock_visibility: voice.userId === null,
    default_text: voice.defaultText,
    like_count: voice.likeCount,
    mark_count: 0,
    shared_count: 0,
    task_count: voice.taskCount,
    liked,
    marked: false,
    author: { _id: author.id, nickname: author.nickname, avatar: "" },
  };
}
