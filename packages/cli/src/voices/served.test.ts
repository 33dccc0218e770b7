import assert from "node:assert/strict";
import { it } from "node:test";
import type { VoiceModel } from "@parlance/protocol";
import { showVoice } from "./served.ts";

it("shows how far the refinement of a voice is", () => {
  const voice: VoiceModel = {
    ...{ _id: "0".repeat(32), type: "tts", title: "Ada", description: "", cover_image: "", train_mode: "fast" },
    ...{ state: "trained", refinement: "done", refinement_error: "", refinement_similarity: null },
    ...{ tags: [], samples: [], created_at: "", updated_at: "", languages: ["en"], visibility: "private" },
    ...{ lock_visibility: false, default_text: "", like_count: 0, mark_count: 0, shared_count: 0, task_count: 0 },
    ...{ liked: false, marked: false, author: { _id: "1", nickname: "", avatar: "" } },
  };
  const shown = (change: Partial<VoiceModel>): string | undefined => {
    const lines: string[] = [];
    showVoice({ ...voice, ...change }, false, { print: (line) => void lines.push(line) });
    return lines.find((line) => line.startsWith("refinement"))?.replace(/ +/, " ");
  };
  assert.equal(shown({}), "refinement done");
  assert.equal(shown({ refinement: "failed", refinement_error: "No memory" }), "refinement failed: No memory");
  const measured = { refinement_similarity: { before: 0.61, after: 0.684 } };
  assert.equal(shown({ ...measured, refinement: "waiting" }), "refinement waiting");
  const failed = { refinement: "failed", refinement_error: "No memory" } as const;
  assert.equal(shown({ ...measured, ...failed }), "refinement failed: No memory");
  assert.equal(shown(measured), "refinement done: similarity 0.610 before, 0.684 after");
});
