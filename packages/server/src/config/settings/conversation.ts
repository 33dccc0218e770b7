import { optionalSetting } from "../setting.ts";
import { bearerToken, httpUrl, shortText } from "../value-types.ts";

export const conversation = {
  llmUrl: optionalSetting({
    name: "PARLANCE_LLM_URL",
    type: httpUrl,
    unset: "off: there are no conversations",
    meaning:
      "Address of the language model that answers in conversations. `/chat/completions` of OpenAI's API is added to it, as in `http://127.0.0.1:11434/v1`. See [conversation.md](conversation.md).",
  }),
  llmKey: optionalSetting({
    name: "PARLANCE_LLM_KEY",
    type: bearerToken,
    unset: "none",
    secret: true,
    meaning: "Key for the language model, sent as `Authorization: Bearer KEY`.",
  }),
  llmModel: optionalSetting({
    name: "PARLANCE_LLM_MODEL",
    type: shortText,
    unset: "none is named, for endpoints that have only one",
    meaning: "Name of the language model, as its endpoint knows it.",
  }),
};
