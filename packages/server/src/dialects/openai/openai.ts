import { admit } from "../../http/admission.ts";
import type { Dialect } from "../dialect.ts";
import { catalogRoutes } from "./catalog.ts";
import { openAiErrorBody } from "./error-body.ts";
import { realtimeRoute } from "./realtime.ts";
import { speechRoute } from "./speech.ts";
import { transcriptRoutes } from "./transcripts.ts";

/** The second one is where clients of Fish Audio expect this API. */
const PREFIXES = ["/v1", "/compat/v1"];

/** The API of OpenAI, as far as it speaks and listens. */
export const openai: Dialect = {
  name: "openai",
  paths: ["/v1/audio", "/v1/models", "/v1/realtime", "/compat/v1"],
  fieldNames: {
    text: "input",
    reference_id: "voice",
    format: "response_format",
    "prosody.speed": "speed",
    audio: "file",
  },
  errorBody: openAiErrorBody,
  register(http, parts) {
    http.register(async (scope) => {
      admit(scope, parts.admission);
      for (const prefix of PREFIXES) speechRoute(scope, prefix, parts);
    });
    http.register(async (scope) => {
      admit(scope, parts.admission);
      await transcriptRoutes(scope, PREFIXES, parts);
    });
    catalogRoutes(http, PREFIXES, parts);
    realtimeRoute(http, PREFIXES, parts);
  },
};
