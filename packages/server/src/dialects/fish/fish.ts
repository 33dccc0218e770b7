import { admit } from "../../http/admission.ts";
import type { Dialect } from "../dialect.ts";
import { asrRoutes } from "./asr/asr.ts";
import { addSsmlParser } from "./tts/ssml.ts";
import { ttsRoutes } from "./tts/tts.ts";
import { voiceDesignRoutes } from "./voice-design/voice-design.ts";

/** The native API. Its live socket and its voices are added by the composition. */
export const fish: Dialect = {
  name: "fish",
  paths: ["/v1/tts", "/v1/asr", "/v1/voice-design", "/model"],
  fieldNames: {},
  errorBody: ({ status, code, message, issues }) => (code === "invalid_request" ? issues : { status, message }),
  register(http, parts) {
    http.register(async (scope) => {
      admit(scope, parts.admission);
      addSsmlParser(scope);
      ttsRoutes(scope, parts);
    });
    http.register(async (scope) => {
      admit(scope, parts.admission);
      voiceDesignRoutes(scope, parts);
    });
    http.register(async (scope) => {
      admit(scope, parts.admission);
      await asrRoutes(scope, parts);
    });
  },
};
