import { apiError } from "@parlance/protocol";
import type { LanguageModel } from "../../../services/conversation/chat.ts";
import type { SocketRoute } from "../../fish/live/sockets.ts";
import { openTranscription } from "../live/transcription.ts";
import { openai } from "../openai.ts";
import { openConversation } from "./session.ts";

const PATH = /^(?:\/compat)?\/v1\/realtime(?:\?(.*))?$/;

/** WS /v1/realtime: a conversation with the language model of the operator, or with `intent=transcription` transcripts. */
export function createOpenAiSockets(model: LanguageModel | undefined): (url: string) => SocketRoute | undefined {
  return (url) => {
    const found = PATH.exec(url);
    if (found === null) return undefined;
    const route = { dialect: openai.name, route: "/v1/realtime" };
    if (new URLSearchParams(found[1] ?? "").get("intent") === "transcription")
      return { ...route, operation: "asr", open: openTranscription };
    return {
      ...route,
      operation: "live",
      ...(model === undefined ? { refusal: apiError("conversation_off", {}) } : {}),
      open(socket, parts, options) {
        if (model !== undefined) openConversation(socket, parts, options, model);
      },
    };
  };
}
